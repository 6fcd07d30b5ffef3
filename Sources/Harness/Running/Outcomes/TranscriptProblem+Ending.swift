/// That a command ends the process that performs it, as a transcript may say: in the last line of its output.
extension TranscriptProblem {
  /// How those lines begin. What follows may be a pattern, but no pattern alone means the end of a process.
  private static let openings = [
    "error: crashed, ", "error: ended the process, ", "error: took longer than ",
    "error: needed more than ",
  ]
  /// Those of ends that no time limit brings about.
  private static let openingsOfOwnEnds = openings.prefix(2)

  /// The line that says so; nil where it is no end of a process, or somebody else's doing.
  package var ending: String? {
    switch self {
    case .crashed: isFromOutside ? nil : "error: " + sentence
    case .exited(let status): "error: ended the process, with status \(status)"
    case .overflowed, .slow, .tooMuchMemory: "error: " + sentence
    default: nil
    }
  }

  /// Whether a line of a transcript says that the process ends like this.
  func isExpected(by line: [UInt8]) -> Bool {
    guard let ending, let opening = Self.openings.first(where: ending.hasPrefix),
      line.starts(with: opening.utf8)
    else { return false }
    var captures: Captures = [:]
    return Expectation([line]).line(0, matches: Array(ending.utf8), &captures)
  }

  /// Whether a line of a transcript says that the process ends of itself, in one way or another.
  static func isOwnEnd(_ line: [UInt8]) -> Bool {
    openingsOfOwnEnds.contains { line.starts(with: $0.utf8) }
  }
}
