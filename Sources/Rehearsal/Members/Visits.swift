/// The states that a member was in, for run assertions. A very long session keeps only the latest.
struct Visits<State> {
  private var kept: [(time: Duration, state: State)]
  private var goneCount = 0

  init(_ state: State, at time: Duration) {
    kept = []
    kept.reserveCapacity(4)  // Nearly every member reaches a second state.
    kept.append((time, state))
  }

  mutating func append(_ state: State, at time: Duration) {
    kept.append((time, state))
  }

  /// Number of visits ever.
  var count: Int { goneCount + kept.count }

  /// The start of the known visits; nil if all are known.
  var knownSince: Duration? { goneCount == 0 ? nil : kept.first?.time }

  /// Returns the time of the first visit that fits, from this visit on. Removed visits are not
  /// found.
  func firstTime(from visit: Int, where fits: (State) -> Bool) -> Duration? {
    kept[max(0, visit - goneCount)...].first { fits($0.state) }?.time
  }

  /// Removes visits that ended before `time`, and those beyond the limit `most`; never the latest.
  mutating func forget(before time: Duration, most: Int) {
    let old = kept.firstIndex { $0.time >= time } ?? kept.count
    let gone = min(max(old, kept.count - most), kept.count - 1)
    kept.removeFirst(gone)
    goneCount += gone
  }
}
