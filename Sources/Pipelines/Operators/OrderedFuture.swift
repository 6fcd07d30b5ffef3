#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// A `Future` that serves its subscribers in the order of subscription.
///
/// Like `Future`, it runs its closure immediately and once, keeps the result for late subscribers,
/// and delivers a value on demand. OpenCombine's `Future` serves several waiting subscribers in an
/// order that differs between runs.
public final class OrderedFuture<Output, Failure: Error>: Publisher {
  /// Receives the result. Later calls have no effect.
  public typealias Promise = (Result<Output, Failure>) -> Void

  private let lock = RecursiveLock()
  private var result: Result<Output, Failure>?
  private var waiting: [FutureSubscription] = []

  /// Runs `attempt` immediately. It may fulfil the promise now, later or never.
  public init(_ attempt: (@escaping Promise) -> Void) {
    attempt { self.fulfil($0) }
  }

  private func fulfil(_ result: Result<Output, Failure>) {
    let waiting: [FutureSubscription] = lock {
      guard self.result == nil else { return [] }
      self.result = result
      defer { self.waiting = [] }
      return self.waiting
    }
    for place in waiting { place.take(result) }
  }

  /// Adds a subscriber, which gets the result or waits for it after the existing subscribers.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let place = TypedFutureSubscription(future: self, subscriber: subscriber)
    subscriber.receive(subscription: place)
    let result = lock {
      if self.result == nil { waiting.append(place) }
      return self.result
    }
    if let result { place.take(result) }
  }

  fileprivate func leave(_ place: FutureSubscription) {
    lock { waiting.removeAll { $0 === place } }
  }

  /// The subscription of a type-erased subscriber.
  fileprivate class FutureSubscription {
    func take(_ result: Result<Output, Failure>) {}
  }

  private final class TypedFutureSubscription<S: Subscriber>: FutureSubscription, Subscription
  where S.Input == Output, S.Failure == Failure {
    private let lock = RecursiveLock()
    private var future: OrderedFuture?
    private var subscriber: S?
    private var hasDemand = false
    /// The result before it is requested.
    private var result: Result<Output, Failure>?

    init(future: OrderedFuture, subscriber: S) {
      self.future = future
      self.subscriber = subscriber
    }

    override func take(_ result: Result<Output, Failure>) {
      lock { self.result = result }
      deliver()
    }

    func request(_ demand: Subscribers.Demand) {
      lock { hasDemand = hasDemand || demand > .none }
      deliver()
    }

    func cancel() {
      let future = lock { end().future }
      future?.leave(self)
    }

    private func deliver() {
      let delivery: (subscriber: S, result: Result<Output, Failure>)? = lock {
        guard let subscriber, let result else { return nil }
        if case .success = result, !hasDemand { return nil }
        _ = end()
        return (subscriber, result)
      }
      guard let delivery else { return }
      switch delivery.result {
      case .success(let value):
        _ = delivery.subscriber.receive(value)
        delivery.subscriber.receive(completion: .finished)
      case .failure(let error):
        delivery.subscriber.receive(completion: .failure(error))
      }
    }

    private func end() -> (future: OrderedFuture?, subscriber: S?) {
      defer {
        future = nil
        subscriber = nil
        result = nil
      }
      return (future, subscriber)
    }
  }
}
