/// The states that a member was in, for assertions over a whole run; only the latest where a session
/// grew too long.
struct Visits<State> {
  private var kept: [(time: Duration, state: State)]
  private var goneCount = 0

  init(_ state: State, at time: Duration) {
    kept = []
    kept.reserveCapacity(4)  // Nearly every member comes to another state.
    kept.append((time, state))
  }

  mutating func append(_ state: State, at time: Duration) {
    kept.append((time, state))
  }

  /// How many there were so far.
  var count: Int { goneCount + kept.count }

  /// Since when they are known; nil for always.
  var knownSince: Duration? { goneCount == 0 ? nil : kept.first?.time }

  /// When the first one was that fits, of those from this one on that are kept.
  func firstTime(from visit: Int, where fits: (State) -> Bool) -> Duration? {
    kept[max(0, visit - goneCount)...].first { fits($0.state) }?.time
  }

  /// Forgets what was over before `time`, and more than so many; never the latest.
  mutating func forget(before time: Duration, most: Int) {
    let old = kept.firstIndex { $0.time >= time } ?? kept.count
    let gone = min(max(old, kept.count - most), kept.count - 1)
    kept.removeFirst(gone)
    goneCount += gone
  }
}
