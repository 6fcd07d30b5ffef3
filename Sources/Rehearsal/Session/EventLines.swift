/// The event lines of a session, for `log`. A very long session keeps only the latest.
struct EventLines {
  private(set) var lines: [Line] = []
  /// Number of lines that were removed.
  private(set) var goneCount = 0

  struct Line {
    let lane: Int?
    let time: Duration
    let text: String
  }

  /// Number of all lines so far.
  var count: Int { goneCount + lines.count }

  mutating func append(_ line: Line) {
    if lines.isEmpty { lines.reserveCapacity(8) }
    lines.append(line)
  }

  func isFull(_ limit: Int) -> Bool { lines.count > limit }

  /// Removes the oldest lines if there are too many.
  mutating func removeOldest(_ limit: Int) {
    guard isFull(limit) else { return }
    let gone = lines.count - SessionLimits.kept(of: limit)
    lines.removeFirst(gone)
    goneCount += gone
  }
}
