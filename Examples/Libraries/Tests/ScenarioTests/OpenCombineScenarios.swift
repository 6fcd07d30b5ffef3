@preconcurrency import Dispatch
@preconcurrency import OpenCombine
@preconcurrency import OpenCombineDispatch
import RehearsalTesting
import Sessions
import Testing

/// Shrunk violations of OpenCombine, in virtual time.
@Suite(.rehearsed) struct OpenCombineScenarios {
  typealias Subject = PassthroughSubject<Int, Failure>

  /// Notes what it gets, with the demand `initial`.
  final class Recorder: Subscriber {
    var events: [String] = []
    var subscription: (any Subscription)?
    let initial: Subscribers.Demand
    init(_ initial: Subscribers.Demand = .unlimited) { self.initial = initial }

    func receive(subscription: any Subscription) {
      events.append("subscription")
      self.subscription = subscription
      if initial > 0 { subscription.request(initial) }
    }
    func receive(_ input: Int) -> Subscribers.Demand {
      events.append("\(input)")
      return .none
    }
    func receive(completion: Subscribers.Completion<Failure>) { events.append("completion") }
  }

  @Test func `flatMap sends a value after the error`() {
    let recorder = Recorder(.none)
    let failing = [1, 2].publisher.setFailureType(to: Failure.self).append(Fail(error: Failure()))
    Just(0).setFailureType(to: Failure.self).flatMap { _ in failing }.subscribe(recorder)
    recorder.subscription?.request(.max(2))
    withKnownIssue { #expect(recorder.events.last == "completion") }
  }

  @Test func `drop(untilOutputFrom:) completes twice`() {
    let recorder = Recorder()
    Empty<Int, Failure>().drop(untilOutputFrom: Empty<Int, Failure>()).subscribe(recorder)
    withKnownIssue { #expect(recorder.events == ["subscription", "completion"]) }
  }

  @Test func `zip completes before the subscription`() {
    let recorder = Recorder()
    Empty<Int, Failure>().zip(Subject()) { $0 + $1 }.subscribe(recorder)
    withKnownIssue { #expect(recorder.events.first == "subscription") }
  }

  @Test func `prefix(2) waits for a third value`() {
    let (subject, recorder) = (Subject(), Recorder())
    subject.prefix(2).subscribe(recorder)
    subject.send(1)
    subject.send(2)
    withKnownIssue { #expect(recorder.events == ["subscription", "1", "2", "completion"]) }
  }

  @Test func `replaceEmpty ignores the demand`() {
    let recorder = Recorder(.max(1))
    [1, 2].publisher.setFailureType(to: Failure.self).replaceEmpty(with: 0).subscribe(recorder)
    withKnownIssue { #expect(recorder.events == ["subscription", "1"]) }
  }

  @Test func `flatMap does not cancel its source after an error`() {
    let (subject, recorder, isCancelled) = (Subject(), Recorder(), Cell(false))
    subject.handleEvents(receiveCancel: { isCancelled.change { $0 = true } })
      .flatMap { _ in Fail<Int, Failure>(error: Failure()) }.subscribe(recorder)
    subject.send(1)
    #expect(recorder.events == ["subscription", "completion"])
    withKnownIssue { #expect(isCancelled.value) }
  }

  @Test func `delay completes after cancel`() async throws {
    let (subject, recorder) = (Subject(), Recorder())
    let queue = DispatchQueue(label: "queue")
    subject.delay(for: .milliseconds(50), scheduler: queue.ocombine).subscribe(recorder)
    subject.send(completion: .finished)
    recorder.subscription?.cancel()
    try await Task.sleep(for: .milliseconds(100))
    withKnownIssue { #expect(queue.sync { recorder.events } == ["subscription"]) }
  }
}
