import Pipelines
import Testing

@Suite struct OrderedSubjectTests {
  @Test func `subscribers are served in the order of subscription`() {
    let subject = OrderedSubject<Int, Never>()
    var served: [Int] = []
    let sinks = (0..<50).map { number in subject.sink { _ in served.append(number) } }
    subject.send(1)

    #expect(served == Array(0..<50))
    for sink in sinks { sink.cancel() }
    #expect(subject.subscriberCount == 0)
  }

  @Test func `a shared pipeline serves its subscribers in order, and subscribes once`() {
    let run = Rehearsing()
    let subject = PassthroughSubject<Int, Never>()
    let shared = subject.sharedInOrder()
    for name in ["a", "b", "c", "d"] { run.watch(shared, as: name) }
    run.send([(1, 0)], to: subject)
    run.at(100) { subject.send(completion: .finished) }

    #expect(
      run.settle()
        == "a1@0 b1@0 c1@0 d1@0 afinished@100 bfinished@100 cfinished@100 dfinished@100"
    )
  }

  @Test func `a subject with a value sends it to new subscribers`() {
    let run = Rehearsing()
    let subject = OrderedSubject<Int, Never>(1)
    run.watch(subject, as: "early ")
    subject.send(2)
    run.watch(subject, as: "late ")

    #expect(run.settle() == "early 1@0 early 2@0 late 2@0")
  }

  @Test func `a subscriber after the end gets only the end`() {
    let run = Rehearsing()
    let subject = OrderedSubject<Int, Trouble>(1)
    subject.send(completion: .failure(.expected))
    subject.send(2)
    run.watch(subject)

    #expect(run.settle() == "failed@0")
  }

  @Test func `a value without demand is dropped unless it is the current one`() {
    for (subject, expected) in [
      (OrderedSubject<Int, Never>(), [2]), (OrderedSubject<Int, Never>(0), [0, 1, 2]),
    ] {
      let asking = Asking<Int, Never>()
      subject.subscribe(asking)
      if expected.count > 1 { asking.request(1) }
      subject.send(1)
      asking.request(2)
      subject.send(2)

      #expect(asking.values == expected)
    }
  }

  @Test func `a subscriber that leaves while it is served is not served again`() {
    let subject = OrderedSubject<Int, Never>()
    var received: [Int] = []
    var sink: AnyCancellable?
    sink = subject.sink { value in
      received.append(value)
      sink?.cancel()
    }
    subject.send(1)
    subject.send(2)

    #expect(received == [1])
  }

  @Test func `a subject that ends cancels all current and later upstreams`() {
    let (first, second) = (OrderedSubject<Int, Never>(), OrderedSubject<Int, Never>())
    let subject = OrderedSubject<Int, Never>()
    let connections = [first.subscribe(subject), second.subscribe(subject)]
    first.send(completion: .finished)
    #expect(second.subscriberCount == 0)
    let late = second.subscribe(subject)
    #expect(second.subscriberCount == 0)
    withExtendedLifetime((connections, late)) {}
  }

  @Test func `a subject that ends releases its upstreams`() {
    final class Token {}
    weak var watched: Token?
    do {
      let token = Token()
      watched = token
      let (source, subject) = (OrderedSubject<Int, Never>(), OrderedSubject<Int, Never>())
      let connection = source.handleEvents()
        .map { value in withExtendedLifetime(token) { value } }
        .subscribe(subject)
      source.send(completion: .finished)
      withExtendedLifetime(connection) {}
    }

    #expect(watched == nil)
  }
}

/// A subscriber that gets only the values it requests.
final class Asking<Input, Failure: Error>: Subscriber {
  private(set) var values: [Input] = []
  private(set) var completion: Subscribers.Completion<Failure>?
  private var subscription: (any Subscription)?

  func receive(subscription: any Subscription) { self.subscription = subscription }

  func receive(_ input: Input) -> Subscribers.Demand {
    values.append(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) { self.completion = completion }

  func request(_ count: Int) { subscription?.request(.max(count)) }
  func cancel() { subscription?.cancel() }
}
