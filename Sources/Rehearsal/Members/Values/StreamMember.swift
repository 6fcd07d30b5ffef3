import Loading
import Script
import Staging
import Timelines

/// A sequence of values of a user's own code that the session follows: each value is told, and the end.
///
/// In the recording it is one attempt, which begins when the session begins to follow.
@MainActor final class StreamMember: Member {
  let name: String
  let declaration: String
  let lane: Int
  private unowned let session: Session
  private var history: ValueHistory
  private var valueCount = 0
  /// What ends the following.
  var onCancel: @MainActor () -> Void = {}

  init(name: String, type: String, session: Session) {
    self.name = name
    self.session = session
    declaration = "\(name): \(type)"
    lane = session.recording.addLane(.init(name: name, initial: Self.waiting))
    history = ValueHistory(nil, at: session.stage.now.elapsed)
    record(.started(replacing: nil, silently: false), phase: .inFlight)
  }

  private static let waiting = "waiting"

  var word: String { "stream" }
  var isCustom: Bool { true }
  var attemptCount: Int { 1 }
  var stateText: String { history.current.text(waiting: Self.waiting) }
  var facts: [(name: String, value: String)] {
    [("state", stateText), ("values", "\(valueCount)")]
  }

  func note(_ value: JSONValue) {
    guard history.current.end == nil else { return }
    valueCount += 1
    history.note(value, at: session.stage.now.elapsed)
    let text = value.text(within: valueColumns)
    record(.yielded(dropped: false), phase: .succeeded, answer: text)
    session.announce("\(name)  \(text)", lane: lane)
  }

  func note(_ end: ValueHistory.End) {
    guard history.current.end == nil else { return }
    history.note(end, at: session.stage.now.elapsed)
    switch end {
    case .finished:
      record(.ended(.succeeded, dropped: false), phase: .succeeded)
      session.announce("\(name)  finished", lane: lane)
    case .failed(let error):
      let text = errorText(error)
      record(.ended(.failed, dropped: false), phase: .failed, answer: text)
      session.announce("\(name)  failed: \(text)", lane: lane)
    case .cancelled:
      record(.cancelled, phase: .resting)
      record(.ended(.cancelled, dropped: false), phase: .resting)
      session.announce("\(name)  cancelled", lane: lane)
    }
  }

  private func record(_ kind: Recording.Kind, phase: Recording.Phase, answer: String? = nil) {
    session.recording.append(
      Recording.Event(
        time: session.stage.now.elapsed,
        lane: lane,
        attempt: 1,
        kind: kind,
        state: stateText,
        phase: phase,
        answer: answer
      )
    )
  }

  func cancel(at span: Range<Int>) {
    guard history.current.end == nil else {
      return session.announce("\(name)  \(stateText); cancel changes nothing", lane: lane)
    }
    onCancel()
    note(.cancelled)
  }

  func satisfies(_ pattern: StatePattern) -> Bool { history.current.satisfies(pattern) }

  func check(_ pattern: Located<StatePattern>) throws(Diagnostic) {
    guard !["value", "finished", "failed", "cancelled"].contains(pattern.value.word) else { return }
    throw Diagnostic(
      .expected("a value, 'finished' or 'failed'", found: pattern.value.word),
      at: pattern.span
    )
  }

  var visitCount: Int { history.count }

  func firstVisit(_ pattern: StatePattern, from visit: Int) -> Duration? {
    history.firstVisit(pattern, from: visit)
  }

  func tearDown() { onCancel() }
}
