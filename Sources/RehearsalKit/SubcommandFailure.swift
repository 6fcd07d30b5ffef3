import Harness
import RehearsalBase
import Script

/// Why a subcommand did not do what it was asked to.
struct SubcommandFailure: Error {
  private let lines: [String]
  let exit: ProgramExit

  init(_ sentence: String, hint: String?, exit: ProgramExit = .usage) {
    lines = ["error: " + sentence] + (hint.map { ["hint: " + $0] } ?? [])
    self.exit = exit
  }

  /// The same, with something to try.
  func with(hint: String) -> SubcommandFailure {
    SubcommandFailure(lines: lines + ["hint: " + hint], exit: exit)
  }

  /// A mistake whose place is shown.
  init(lines: [String], exit: ProgramExit = .usage) {
    self.lines = lines
    self.exit = exit
  }

  var text: String { lines.map { $0.printable(atMost: 2_000) + "\n" }.joined() }
}
