/// Decides whether an expected line, such as `error: crashed, …`, says that a command ends its process.
extension TranscriptProblem {
  /// The beginnings of these lines. The rest may be a pattern, but a line that is only a pattern does not count.
  private static let openings = [
    "error: crashed, ", "error: ended the process, ", "error: took longer than ",
    "error: needed more than ",
  ]
  /// The beginnings for an end that is not a limit.
  private static let openingsOfOwnEnds = openings.prefix(2)

  /// The line for this problem; nil if the process did not end, or was ended by another program.
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

  /// Returns the line to print if a transcript's line expects this end; nil if it expects another one. A command that
  /// took longer than ten seconds has also taken longer than one.
  func ending(expectedBy line: [UInt8]) -> String? {
    guard let ending, let opening, line.starts(with: opening.utf8) else { return nil }
    var captures: Captures = [:]
    if Expectation([line]).line(0, matches: Array(ending.utf8), &captures) { return ending }
    guard case .slow(let limit) = self else { return nil }
    return (1...max(1, limit)).contains(Self.milliseconds(in: line) ?? 0)
      ? String(decoding: line, as: UTF8.self) : nil
  }

  /// Returns the limit that a line says was exceeded; nil if the line has another form.
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

  /// Whether a line of a transcript says that the process ends, in any way.
  static func isEnd(_ line: [UInt8]) -> Bool { openings.contains { line.starts(with: $0.utf8) } }

  /// Whether a line of a transcript says that the process ends by itself, in any way.
  static func isOwnEnd(_ line: [UInt8]) -> Bool {
    openingsOfOwnEnds.contains { line.starts(with: $0.utf8) }
  }
}
