import Harness
import RehearsalBase
import Script

/// An error of a subcommand, as lines to print.
struct SubcommandFailure: Error {
  private let lines: [String]
  let exit: ProgramExit

  init(_ sentence: String, hint: String?, exit: ProgramExit = .usage) {
    lines = ["error: " + sentence] + (hint.map { ["hint: " + $0] } ?? [])
    self.exit = exit
  }

  /// Returns the error with a hint.
  func with(hint: String) -> SubcommandFailure {
    SubcommandFailure(lines: lines + ["hint: " + hint], exit: exit)
  }

  /// Creates an error from its lines.
  init(lines: [String], exit: ProgramExit = .usage) {
    self.lines = lines
    self.exit = exit
  }

  /// The first line, without "error".
  var sentence: String {
    let line = lines.first ?? ""
    return line.hasPrefix("error: ") ? String(line.dropFirst("error: ".count)) : line
  }

  var text: String { lines.map { $0.printable(atMost: 2_000) + "\n" }.joined() }
}
