import Pipelines
import Testing

@Suite struct OrderedFutureTests {
  private struct Broken: Error {}

  @Test func `waiting subscribers are served in the order of subscription`() {
    var promise: OrderedFuture<Int, Never>.Promise?
    let future = OrderedFuture<Int, Never> { promise = $0 }
    var served: [Int] = []
    let sinks = (0..<50).map { number in future.sink { served.append(number * 100 + $0) } }
    sinks[7].cancel()
    promise?(.success(1))
    promise?(.success(2))

    #expect(served == (0..<50).filter { $0 != 7 }.map { $0 * 100 + 1 })
  }

  @Test func `its closure runs once, immediately, and late subscribers get the result`() {
    var runs = 0
    let future = OrderedFuture<Int, Broken> { promise in
      runs += 1
      promise(.failure(Broken()))
    }
    #expect(runs == 1)

    var failures = 0
    for _ in 0..<3 {
      _ = future.retry(2).sink { completion in
        if case .failure = completion { failures += 1 }
      } receiveValue: { _ in
        Issue.record("It has no value.")
      }
    }
    #expect(runs == 1)
    #expect(failures == 3)
  }

  @Test func `a value waits for demand`() {
    let future = OrderedFuture<Int, Never> { $0(.success(1)) }
    let subscriber = Asking()
    future.subscribe(subscriber)
    #expect(subscriber.received.isEmpty)
    subscriber.subscription?.request(.max(1))
    #expect(subscriber.received == ["1", "finished"])
  }

  private final class Asking: Subscriber {
    var subscription: (any Subscription)?
    var received: [String] = []

    func receive(subscription: any Subscription) { self.subscription = subscription }
    func receive(_ value: Int) -> Subscribers.Demand {
      received.append("\(value)")
      return .none
    }
    func receive(completion: Subscribers.Completion<Never>) { received.append("finished") }
  }
}
