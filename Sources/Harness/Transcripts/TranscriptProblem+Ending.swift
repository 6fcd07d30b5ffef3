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
    case .exited, .overflowed, .slow, .tooMuchMemory: "error: " + sentence
    default: nil
    }
  }

  private var opening: String? {
    switch self {
    case .crashed, .overflowed: Self.openings[0]
    case .exited: Self.openings[1]
    case .slow: Self.openings[2]
    case .tooMuchMemory: Self.openings[3]
    default: nil
    }
  }

  /// How a process that has ended like this is to have ended by the line of a transcript; nil where that says
  /// something else. What took longer than ten seconds has also taken longer than one.
  func ending(expectedBy line: [UInt8]) -> String? {
    guard let ending, let opening, line.starts(with: opening.utf8) else { return nil }
    var captures: Captures = [:]
    if Expectation([line]).line(0, matches: Array(ending.utf8), &captures) { return ending }
    guard case .slow(let limit) = self else { return nil }
    return (1...max(1, limit)).contains(Self.milliseconds(in: line) ?? 0)
      ? String(decoding: line, as: UTF8.self) : nil
  }

  /// The limit that a line names which says that it was over; nil where it is written otherwise.
  private static func milliseconds(in line: [UInt8]) -> Int? {
    let text = String(decoding: line, as: UTF8.self)
    guard
      let number = text.split(whereSeparator: { !$0.isASCII || !$0.isNumber }).first.flatMap({
        Int($0)
      })
    else { return nil }
    return [number, number.multipliedReportingOverflow(by: 1_000).partialValue].first {
      TranscriptProblem.slow(limitInMilliseconds: $0).ending == text
    }
  }

  /// Whether a line of a transcript says that the process ends, in whatever way.
  static func isEnd(_ line: [UInt8]) -> Bool { openings.contains { line.starts(with: $0.utf8) } }

  /// Whether a line of a transcript says that the process ends of itself, in one way or another.
  static func isOwnEnd(_ line: [UInt8]) -> Bool {
    openingsOfOwnEnds.contains { line.starts(with: $0.utf8) }
  }
}
