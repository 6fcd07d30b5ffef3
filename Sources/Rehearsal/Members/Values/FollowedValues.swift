import Loading
import RehearsalBase
import Script
import Staging
import Timelines

/// A subscription of the session to values: it reports each value, and the end.
///
/// In the recording, the subscription is one attempt, from its beginning to its end.
@MainActor final class FollowedValues {
  let name: String
  let lane: Int
  private(set) var history: ValueHistory
  private(set) var count = 0
  private unowned let session: Session

  static let waiting = "waiting"

  /// Adds a lane with this name, which shows `initial` until the first event.
  init(name: String, word: String, initial: String = waiting, session: Session) {
    self.name = name
    self.session = session
    history = ValueHistory(nil, at: session.stage.now.elapsed)
    lane = session.history.addLane(.init(name: name, word: word, initial: initial))
  }

  var text: String { history.current.text(waiting: Self.waiting) }
  func forget(before time: Duration, most: Int) { history.forget(before: time, most: most) }
  var hasEnded: Bool { history.current.end != nil }

  func begin() { record(.started(replacing: nil, silently: false), phase: .inFlight) }

  /// Reports a value, unless it comes after the end.
  func note(_ value: JSONValue) {
    guard !hasEnded else { return }
    count += 1
    history.note(value, at: session.stage.now.elapsed)
    let text = value.text(within: valueColumns)
    record(.yielded(dropped: false), phase: .succeeded, answer: text)
    session.output.printEvent("\(name)  \(text)", lane: lane)
  }

  /// Reports the end, once.
  func note(_ end: ValueHistory.End) {
    guard !hasEnded else { return }
    history.note(end, at: session.stage.now.elapsed)
    switch end {
    case .finished:
      record(.ended(.succeeded, dropped: false), phase: .succeeded)
      session.output.printEvent("\(name)  finished", lane: lane)
    case .failed(let error):
      let text = errorText(error)
      record(.ended(.failed, dropped: false), phase: .failed, answer: text)
      session.output.printEvent("\(name)  failed: \(text)", lane: lane)
    case .cancelled:
      record(.cancelled, phase: .resting)
      record(.ended(.cancelled, dropped: false), phase: .resting)
      session.output.printEvent("\(name)  cancelled", lane: lane)
    }
  }

  /// Reports that there is nothing left to cancel.
  func noteIdleCancel(_ text: String) {
    session.output.printEvent("\(name)  \(text); cancel changes nothing", lane: lane)
  }

  private func record(_ kind: Recording.Kind, phase: Recording.Phase, answer: String? = nil) {
    session.history.append(kind, attempt: 1, lane: lane, state: text, phase: phase, answer: answer)
  }
}
