import Rehearsal
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
    self.init("cannot read '\(path)': \(problem.sentence)")
  }

  init(writing path: String, _ problem: FileProblem) {
    self.init("cannot write '\(path)': \(problem.sentence)", exit: .harness)
  }

  /// How the program ends after some work; where that fails, it was said why.
  static func told(_ work: () throws(ConversionFailure) -> ProgramExit) -> ProgramExit {
    do throws(ConversionFailure) {
      return try work()
    } catch {
      error.tell()
      return error.exit
    }
  }

  /// Says it on standard error.
  private func tell() {
    let hint = hint.map { "\nhint: " + $0.escapingControls } ?? ""
    StandardStreams.complain("error: " + sentence.printable(atMost: 4000) + hint)
  }
}
