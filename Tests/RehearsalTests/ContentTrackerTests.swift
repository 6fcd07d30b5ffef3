import Loading
import RehearsalBase
import Script
import Testing

@testable import Rehearsal

/// The events that a tracker derives from the states of a custom source.
@MainActor @Suite struct ContentTrackerTests {
  private let one = LoadableState.loaded(JSONValue.number("1"))

  /// Returns the event line for a state that was written.
  private func line(
    _ tracker: inout ContentTracker,
    _ state: LoadableState<JSONValue>,
    _ request: ContentTracker.Request? = nil
  ) -> String? {
    tracker.note(state, during: request).flatMap(text)
  }

  private func text(_ finding: ContentTracker.Finding) -> String? {
    EventFormatter(
      observation: finding.observation,
      isOfLateAttempt: finding.isLate,
      isOfConstant: false
    ).text
  }

  @Test func `loads are counted, and the states between belong to them`() {
    var tracker = ContentTracker()
    #expect(line(&tracker, .loading, .load) == "absent → loading #1")
    #expect(line(&tracker, one) == "loading #1 → loaded 1")
    #expect(line(&tracker, .loading) == "loaded 1 → loading #2")
    #expect(line(&tracker, .error(TimeoutError())) == "loading #2 → error timeout")
    #expect(tracker.attemptCount == 2)
  }

  @Test func `loading again is progress, unless a load was requested`() {
    var tracker = ContentTracker()
    _ = tracker.note(.loading, during: .load)
    #expect(line(&tracker, .loading) == nil)
    #expect(line(&tracker, .loading, .load) == "loading #1 → loading #2")
  }

  @Test func `a load that begins without a state change counts`() {
    var tracker = ContentTracker()
    _ = tracker.note(.loading, during: .load)
    #expect(text(tracker.noteSilentStart()) == "loading #1 → loading #2")
  }

  @Test func `an answer after a cancellation belongs to the cancelled attempt`() {
    var tracker = ContentTracker()
    _ = tracker.note(.loading, during: .load)
    #expect(line(&tracker, .absent, .cancel) == "loading #1 → absent, #1 cancelled")
    #expect(line(&tracker, one) == "absent → loaded 1, a late answer of #1")
  }

  @Test func `a value without a load was set manually`() {
    var tracker = ContentTracker()
    #expect(line(&tracker, one) == "absent → loaded 1, set by hand")
    #expect(line(&tracker, .absent) == "loaded 1 → absent")
    #expect(line(&tracker, .absent) == nil)
  }

  @Test func `an uncertain event is not reported`() {
    var tracker = ContentTracker()
    #expect(tracker.noteRefusal(of: .load) == nil)
    #expect(
      tracker.noteRefusal(of: .cancel).flatMap(text) == "absent; nothing in flight to cancel"
    )
    _ = tracker.note(.loading, during: .load)
    #expect(tracker.noteRefusal(of: .load).flatMap(text) == "not started: #1 is still in flight")
    #expect(tracker.noteRefusal(of: .cancel) == nil)
  }

  @Test func `a source that is already loading has its first attempt`() {
    var tracker = ContentTracker(state: .loading)
    #expect(line(&tracker, one) == "loading #1 → loaded 1")
  }
}
