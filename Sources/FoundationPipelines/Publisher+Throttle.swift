#if !canImport(Combine)
public import Dispatch
public import Foundation

/// A scheduler of Dispatch or Foundation; this file repairs `throttle` for it.
public protocol SystemScheduler: Scheduler {}

extension DispatchQueue: SystemScheduler {}
extension OperationQueue: SystemScheduler {}
extension RunLoop: SystemScheduler {}

extension Publisher {
  /// Publishes the first value immediately, and then one value at the end of each interval with
  /// values.
  ///
  /// It replaces OpenCombine's `throttle`, which loses values that its upstream sends at the
  /// subscription, like the current value of a `@Published` property.
  ///
  /// - Parameters:
  ///   - interval: the minimum time between two values.
  ///   - scheduler: the scheduler that sends the values.
  ///   - latest: whether the latest value of an interval is sent, or the first.
  /// - Returns: the throttled publisher.
  public func throttle<S: SystemScheduler>(
    for interval: S.SchedulerTimeType.Stride,
    scheduler: S,
    latest: Bool
  ) -> Publishers.Throttle<Publishers.LateDemand<Self>, S> {
    Publishers.Throttle(
      upstream: Publishers.LateDemand(upstream: self),
      interval: interval,
      scheduler: scheduler,
      latest: latest
    )
  }
}

extension Publishers {
  /// A publisher that passes demand to its upstream after its subscriber has processed the
  /// subscription.
  public struct LateDemand<Upstream: Publisher>: Publisher {
    /// The upstream's output.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    let upstream: Upstream

    /// Subscribes to the upstream.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(LateDemandInner(subscriber))
    }
  }
}

private final class LateDemandInner<Downstream: Subscriber>: Subscriber, Subscription {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  private let downstream: Downstream
  private let lock = NSLock()
  private var upstream: (any Subscription)?
  /// The demand before the subscriber had processed the subscription; nil from then on.
  private var early: Subscribers.Demand? = Subscribers.Demand.none

  init(_ downstream: Downstream) { self.downstream = downstream }

  func receive(subscription: any Subscription) {
    upstream = subscription
    downstream.receive(subscription: self)
    let demand = lock.withLock {
      defer { early = nil }
      return early
    }
    if let demand, demand > .none { subscription.request(demand) }
  }

  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }

  func receive(completion: Subscribers.Completion<Failure>) {
    downstream.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) {
    let isEarly = lock.withLock {
      guard let early else { return false }
      self.early = early + demand
      return true
    }
    if !isEarly { upstream?.request(demand) }
  }

  func cancel() {
    upstream?.cancel()
    upstream = nil
  }
}
#endif
