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
    var cancelsAtValue = false
    init(_ initial: Subscribers.Demand = .unlimited) { self.initial = initial }

    func receive(subscription: any Subscription) {
      events.append("subscription")
      self.subscription = subscription
      if initial > 0 { subscription.request(initial) }
    }
    func receive(_ input: Int) -> Subscribers.Demand {
      events.append("\(input)")
      if cancelsAtValue { subscription?.cancel() }
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

  @Test func `zip completes twice`() {
    let recorder = Recorder()
    Fail<Int, Failure>(error: Failure()).zip(Empty<Int, Failure>()) { $0 + $1 }.subscribe(recorder)
    withKnownIssue { #expect(recorder.events.filter { $0 == "completion" }.count == 1) }
  }

  @Test func `zip does not cancel a publisher`() {
    let isCancelled = Cell(false)
    let other = Subject().handleEvents(receiveCancel: { isCancelled.change { $0 = true } })
    let recorder = Recorder()
    Empty<Int, Failure>().zip(other) { $0 + $1 }.subscribe(recorder)
    #expect(recorder.events.contains("completion"))
    withKnownIssue { #expect(isCancelled.value) }
  }

  @Test func `prefix(untilOutputFrom:) sends no subscription`() {
    let recorder = Recorder()
    let other = Just(0).setFailureType(to: Failure.self)
    Subject().prefix(untilOutputFrom: other).subscribe(recorder)
    withKnownIssue { #expect(recorder.events == ["subscription", "completion"]) }
  }

  @Test(arguments: [true, false])
  func `prefix and drop do not cancel the other publisher`(isPrefix: Bool) {
    let (subject, other, isCancelled, recorder) = (Subject(), Subject(), Cell(false), Recorder())
    let noting = other.handleEvents(receiveCancel: { isCancelled.change { $0 = true } })
    if isPrefix {
      subject.prefix(untilOutputFrom: noting).subscribe(recorder)
    } else {
      subject.drop(untilOutputFrom: noting).subscribe(recorder)
    }
    other.send(1)
    subject.send(completion: .finished)
    #expect(recorder.events == ["subscription", "completion"])
    withKnownIssue { #expect(isCancelled.value) }
  }

  @Test func `share does not cancel its source`() {
    let isCancelled = Cell(false)
    let open = Subject().handleEvents(receiveCancel: { isCancelled.change { $0 = true } })
    let recorder = Recorder()
    recorder.cancelsAtValue = true
    [1].publisher.setFailureType(to: Failure.self).append(open).share().subscribe(recorder)
    #expect(recorder.events == ["subscription", "1"])
    withKnownIssue { #expect(isCancelled.value) }
  }

  @Test(arguments: ["count", "replaceEmpty", "replaceError"])
  func `a request after cancel sends a value`(name: String) {
    let (subject, recorder) = (Subject(), Recorder(.none))
    switch name {
    case "count": subject.count().subscribe(recorder)
    case "replaceEmpty": subject.replaceEmpty(with: 0).subscribe(recorder)
    default: subject.replaceError(with: 0).setFailureType(to: Failure.self).subscribe(recorder)
    }
    subject.send(completion: name == "replaceError" ? .failure(Failure()) : .finished)
    recorder.subscription?.cancel()
    recorder.subscription?.request(.max(1))
    withKnownIssue { #expect(recorder.events == ["subscription"]) }
  }

  @Test func `buffer completes before the subscription`() {
    let recorder = Recorder()
    Just(1).eraseToAnyPublisher().tryMap { _ -> Int in throw Failure() }
      .mapError { _ in Failure() }
      .buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest).subscribe(recorder)
    withKnownIssue { #expect(recorder.events.first == "subscription") }
  }
}

/// A violation that keeps the clock busy forever, so that it is not in a suite with a trait.
@Suite struct OpenCombineTimerScenario {
  /// A publisher that times out after a second.
  static func timeOut() {
    let queue = DispatchQueue(label: "queue").ocombine
    Empty<Int, Failure>(completeImmediately: false)
      .timeout(.seconds(1), scheduler: queue) { Failure() }
      .subscribe(OpenCombineScenarios.Recorder())
  }

  @Test func `timeout keeps its timer`() async throws {
    try await withKnownIssue {
      try await explore(replaying: "", limit: 100, mayLeaveWork: true) { _ in Self.timeOut() }
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("never settles") }
    }
  }
}
