/// What was told of every event, for `log`; only the latest where a session grew too long.
struct SessionHistory {
  private(set) var lines: [Line] = []
  /// How many were forgotten.
  private(set) var goneCount = 0

  struct Line {
    let lane: Int?
    let time: Duration
    let text: String
  }

  /// How many there were so far.
  var count: Int { goneCount + lines.count }

  mutating func append(_ line: Line) {
    if lines.isEmpty { lines.reserveCapacity(8) }
    lines.append(line)
  }

  func isFull(_ limit: Int) -> Bool { lines.count > limit }

  /// Forgets the oldest lines where there are too many.
  mutating func forget(_ limit: Int) {
    guard isFull(limit) else { return }
    let gone = lines.count - SessionLimits.kept(of: limit)
    lines.removeFirst(gone)
    goneCount += gone
  }
}
