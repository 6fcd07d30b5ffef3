import Rehearsal
import RehearsalBase
import Script

/// An error of a subcommand that converts files.
struct ConversionFailure: Error {
  private let sentence: String
  private let hint: String?
  let exit: ProgramExit

  init(_ sentence: String, hint: String? = nil, exit: ProgramExit = .usage) {
    self.sentence = sentence
    self.hint = hint
    self.exit = exit
  }

  init(reading path: String, _ problem: FileProblem) {
    self.init("cannot read \(Self.name(of: path)): \(problem.sentence)")
  }

  init(writing path: String, _ problem: FileProblem) {
    self.init("cannot write '\(path)': \(problem.sentence)", exit: .harness)
  }

  /// Returns the name of a file for messages.
  static func name(of path: String) -> String { path == "-" ? "standard input" : "'\(path)'" }

  /// Returns the exit code of some work, and prints its error.
  static func exitCode(of work: () throws(ConversionFailure) -> ProgramExit) -> ProgramExit {
    do throws(ConversionFailure) {
      return try work()
    } catch {
      error.print()
      return error.exit
    }
  }

  /// Creates an error about a file, or about a line of it, counted from 1.
  init(_ path: String, line: Int?, _ problem: String, hint: String?) {
    let place = (path == "-" ? "standard input" : path) + (line.map { ":\($0)" } ?? "")
    self.init("\(place): \(problem)", hint: hint)
  }

  /// The message, without a final line feed.
  var text: String {
    let hint = hint.map { "\nhint: " + $0.escapingControls } ?? ""
    return "error: " + sentence.printable(atMost: 4000) + hint
  }

  /// Prints the message to standard error.
  func print() { StandardStreams.complain(text) }
}
