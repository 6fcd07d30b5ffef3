import Rehearsal
import RehearsalBase
import Script

/// Why nothing was converted.
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

  /// A file as it is called in a sentence.
  static func name(of path: String) -> String { path == "-" ? "standard input" : "'\(path)'" }

  /// How the program ends after some work; where that fails, it was said why.
  static func told(_ work: () throws(ConversionFailure) -> ProgramExit) -> ProgramExit {
    do throws(ConversionFailure) {
      return try work()
    } catch {
      error.tell()
      return error.exit
    }
  }

  /// What is wrong with a file, or with a line of it, counting from 1.
  init(_ path: String, line: Int?, _ problem: String, hint: String?) {
    let place = (path == "-" ? "standard input" : path) + (line.map { ":\($0)" } ?? "")
    self.init("\(place): \(problem)", hint: hint)
  }

  /// What there is to say, without the end of its last line.
  var text: String {
    let hint = hint.map { "\nhint: " + $0.escapingControls } ?? ""
    return "error: " + sentence.printable(atMost: 4000) + hint
  }

  /// Says it on standard error.
  func tell() { StandardStreams.complain(text) }
}
