import Loading
import Pipelines
import RehearsalBase
import Script

/// A sequence of values of the user's own code that the session follows.
@MainActor final class StreamMember: ValueMember, ValueSource {
  let declaration: String
  private let followed: FollowedValues
  private let subject = OrderedSubject<JSONValue, any Error>()
  /// Ends the iteration.
  var onCancel: @MainActor () -> Void = {}

  init(name: String, type: String, session: Session) {
    declaration = "\(name): \(type)"
    followed = FollowedValues(name: name, word: "stream", session: session)
    followed.begin()
  }

  var name: String { followed.name }
  var lane: Int { followed.lane }
  var sort: MemberSort { .stream }
  var isCustom: Bool { true }
  var attemptCount: Int { 1 }
  var history: ValueHistory { followed.history }
  var isSilencedByForgetting: Bool { !followed.hasEnded }
  var undemanded: UndemandedValues { .drop }
  var values: ValuePublisher { subject.eraseToAnyPublisher() }
  var stateText: String { followed.text }
  var facts: [(name: String, value: String)] {
    [("state", stateText), ("values", "\(followed.count)")]
  }

  func note(_ value: JSONValue) {
    followed.note(value)
    subject.send(value)
  }

  func note(_ end: ValueHistory.End) {
    followed.note(end)
    switch end {
    case .finished: subject.send(completion: .finished)
    case .failed(let error): subject.send(completion: .failure(error))
    case .cancelled: break
    }
  }

  func cancel(at span: Range<Int>) {
    guard !followed.hasEnded else { return followed.noteIdleCancel(stateText) }
    onCancel()
    note(.cancelled)
  }

  func forgetVisits(before time: Duration, most: Int) { followed.forget(before: time, most: most) }

  func tearDown() { onCancel() }
}
