#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// Publishes or drops values until another publisher sends one, like Combine's `prefix` and `drop(untilOutputFrom:)`.
extension Publisher {
  /// Publishes values until another publisher sends one, and finishes then.
  ///
  /// Like Combine's `prefix(untilOutputFrom:)`, whose implementation in OpenCombine finishes before
  /// it has passed on a subscription, and never cancels its upstream, if the other publisher sends
  /// a value immediately. The other publisher's end and errors have no effect.
  public func first<Other: Publisher>(
    untilOutputFrom other: Other
  ) -> AnyPublisher<Output, Failure> {
    let ends = other.map { _ in UntilEvent<Failure>.output }
      .catch { _ in Empty(outputType: UntilEvent<Failure>.self, failureType: Never.self) }
    return UntilOutput(upstream: self, other: ends, startsOpen: true).eraseToAnyPublisher()
  }

  /// Drops values until another publisher sends one.
  ///
  /// Like Combine's `drop(untilOutputFrom:)`: it ends if the other publisher ends before it has sent
  /// a value. OpenCombine's does not cancel its upstream if that happens immediately, and a dropped
  /// value uses up the demand for one that is not dropped.
  public func dropFirst<Other: Publisher>(
    untilOutputFrom other: Other
  ) -> AnyPublisher<Output, Failure> where Other.Failure == Failure {
    let events = other.map { _ in UntilEvent<Failure>.output }
      .catch { Just(.end(.failure($0))) }
      .append(.end(.finished))
    return UntilOutput(upstream: self, other: events, startsOpen: false).eraseToAnyPublisher()
  }
}

/// What the other publisher does.
private enum UntilEvent<Failure: Error> {
  case output
  case end(Subscribers.Completion<Failure>)
}

private struct UntilOutput<Upstream: Publisher, Other: Publisher>: Publisher
where Other.Output == UntilEvent<Upstream.Failure>, Other.Failure == Never {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let other: Other
  /// Whether values pass until the other publisher's output; otherwise, from it on.
  let startsOpen: Bool

  /// Subscribes to the other publisher, and then to the upstream.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let inner = Inner(downstream: subscriber, isOpen: startsOpen)
    subscriber.receive(subscription: inner)
    inner.wait(for: other)
    upstream.subscribe(inner)
  }

  private final class Inner<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    private let lock = RecursiveLock()
    private let startsOpen: Bool
    private var isOpen: Bool
    private var downstream: Downstream?
    private var upstream: (any Subscription)?
    private var other: AnyCancellable?
    /// The demand before the subscription to the upstream.
    private var demand = Subscribers.Demand.none

    init(downstream: Downstream, isOpen: Bool) {
      self.downstream = downstream
      self.isOpen = isOpen
      startsOpen = isOpen
    }

    func wait(for events: Other) {
      guard lock({ downstream }) != nil else { return }
      let other = events.first().sink { self.take($0) }
      let isWaiting = lock {
        guard downstream != nil, isOpen == startsOpen else { return false }
        self.other = other
        return true
      }
      if !isWaiting { other.cancel() }
    }

    private func take(_ event: UntilEvent<Failure>) {
      switch event {
      case .output where startsOpen:
        lock { isOpen = false }
        end(with: .finished)
      case .output:
        lock {
          isOpen = true
          other = nil
        }
      case .end(let completion): end(with: completion)
      }
    }

    private func end(with completion: Subscribers.Completion<Failure>) {
      let downstream = lock { self.downstream }
      cancel()
      downstream?.receive(completion: completion)
    }

    func receive(subscription: any Subscription) {
      let demand: Subscribers.Demand? = lock {
        guard downstream != nil, upstream == nil else { return nil }
        upstream = subscription
        return self.demand
      }
      guard let demand else { return subscription.cancel() }
      if demand > .none { subscription.request(demand) }
    }

    func receive(_ input: Output) -> Subscribers.Demand {
      lock {
        guard let downstream else { return .none }
        return isOpen ? downstream.receive(input) : .max(1)
      }
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      lock { upstream = nil }
      end(with: completion)
    }

    func request(_ demand: Subscribers.Demand) {
      let upstream = lock {
        if self.upstream == nil { self.demand += demand }
        return self.upstream
      }
      upstream?.request(demand)
    }

    func cancel() {
      let (upstream, other) = lock {
        defer { (self.downstream, self.upstream, self.other) = (nil, nil, nil) }
        return (self.upstream, self.other)
      }
      upstream?.cancel()
      other?.cancel()
    }
  }
}
