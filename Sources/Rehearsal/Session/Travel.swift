/// Where a session goes that travels in time: what stands then, and what to say about it.
struct Travel: Sendable {
  /// All that stands then.
  var story: [SessionLog.Entry]
  /// What the options were set to then; nil where they are as they are now.
  var settings: SessionSettings?
  var undone: [Undone]
  /// What is said on arrival, where the time is `now`, which is told `inWords`.
  var words: @Sendable (_ now: Duration, _ inWords: String) -> [String]
}

/// What was undone at once, to be redone.
struct Undone: Sendable {
  /// Where it stood.
  var place: Int
  /// Whether something else stands there now.
  var isReplaced = false
  let entries: [SessionLog.Entry]

  /// Where a story is cut off before this is redone; nil where all of it stands.
  func end(in story: [SessionLog.Entry]) -> Int? {
    isReplaced ? place : story[place...].firstIndex { $0.kind == .pause }
  }
}
