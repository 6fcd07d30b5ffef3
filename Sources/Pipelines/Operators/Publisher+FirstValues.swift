#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// Publishes the first values, and finishes with the last of them, like Combine's `prefix(_:)`.
extension Publisher {
  /// Publishes the first `count` values and finishes with the last of them.
  ///
  /// Like Combine's `prefix(_:)`. OpenCombine's finishes only when another value arrives.
  public func first(_ count: Int) -> AnyPublisher<Output, Failure> {
    precondition(count >= 0, "The number of values must not be negative.")
    guard count > 0 else {
      return Empty(outputType: Output.self, failureType: Failure.self).eraseToAnyPublisher()
    }
    return FirstValues(upstream: self, count: count).eraseToAnyPublisher()
  }
}

private struct FirstValues<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let count: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Inner(downstream: subscriber, count: count))
  }

  private final class Inner<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    private let lock = RecursiveLock()
    private var downstream: Downstream?
    private var upstream: (any Subscription)?
    private var left: Int

    init(downstream: Downstream, count: Int) {
      self.downstream = downstream
      left = count
    }

    func receive(subscription: any Subscription) {
      lock { upstream = subscription }
      downstream?.receive(subscription: self)
    }

    func receive(_ input: Output) -> Subscribers.Demand {
      lock {
        guard let downstream, left > 0 else { return .none }
        left -= 1
        let isLast = left == 0
        let demand = downstream.receive(input)
        guard isLast else { return demand }
        cancel()
        downstream.receive(completion: .finished)
        return .none
      }
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      lock {
        let downstream = self.downstream
        self.downstream = nil
        upstream = nil
        downstream?.receive(completion: completion)
      }
    }

    func request(_ demand: Subscribers.Demand) {
      lock { upstream }?.request(demand)
    }

    func cancel() {
      let upstream = lock {
        defer {
          self.upstream = nil
          downstream = nil
        }
        return self.upstream
      }
      upstream?.cancel()
    }
  }
}
