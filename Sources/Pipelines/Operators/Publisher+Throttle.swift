#if !canImport(Combine)
import Staging

/// Sends the first value immediately, then one value at the end of each interval with values (`throttle`).
extension Publisher {
  /// Publishes the first value immediately, and then one value at the end of each interval with
  /// values.
  ///
  /// It replaces OpenCombine's `throttle`, which loses values that its upstream sends at the
  /// subscription, like the current value of a `@Published` property, and which leaves an action on
  /// the stage when it is cancelled.
  ///
  /// - Parameters:
  ///   - interval: the minimum time between two values.
  ///   - scheduler: the stage that sends the values, each in its own action.
  ///   - latest: whether the latest value of an interval is sent, or the first.
  /// - Returns: the throttled publisher.
  public func throttle(
    for interval: StageScheduler.SchedulerTimeType.Stride,
    scheduler: StageScheduler,
    latest: Bool
  ) -> Publishers.StageThrottle<Self> {
    Publishers.StageThrottle(
      upstream: self,
      interval: interval,
      scheduler: scheduler,
      latest: latest
    )
  }
}

extension Publishers {
  /// A publisher that sends one value per interval.
  public struct StageThrottle<Upstream: Publisher>: Publisher {
    /// The upstream's output.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    let upstream: Upstream
    let interval: StageScheduler.SchedulerTimeType.Stride
    let scheduler: StageScheduler
    let latest: Bool

    /// Subscribes to the upstream with unlimited demand.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(ThrottleInner(throttle: self, downstream: subscriber))
    }
  }
}

/// Stores its downstream as closures, because most of the time would go into looking up generic
/// types.
private final class ThrottleInner<Upstream: Publisher, Downstream: Subscriber>: Subscriber,
  Subscription
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  typealias Input = Upstream.Output
  typealias Failure = Upstream.Failure

  private let interval: StageScheduler.SchedulerTimeType.Stride
  private let scheduler: StageScheduler
  private let latest: Bool
  private let lock = RecursiveLock()
  /// The downstream, until the end.
  private var begin: ((any Subscription) -> Void)?
  private var deliver: ((Input) -> Subscribers.Demand)?
  private var finish: ((Subscribers.Completion<Failure>) -> Void)?
  private var upstream: (any Subscription)?
  private var demand = Subscribers.Demand.none
  private var lastSent: StageScheduler.SchedulerTimeType?
  /// Sends the pending value, or nil.
  private var pending: (() -> Void)?
  private var completion: (() -> Void)?
  /// The scheduled action that sends the pending value and the completion.
  private var sending: Scheduled?

  init(throttle: Publishers.StageThrottle<Upstream>, downstream: Downstream) {
    interval = throttle.interval
    scheduler = throttle.scheduler
    latest = throttle.latest
    begin = { downstream.receive(subscription: $0) }
    deliver = { downstream.receive($0) }
    finish = { downstream.receive(completion: $0) }
  }

  func receive(subscription: any Subscription) {
    lock.lock()
    let begin = upstream == nil ? self.begin : nil
    if begin != nil { upstream = subscription }
    self.begin = nil
    lock.unlock()
    guard let begin else { return subscription.cancel() }
    // First, so that there is demand for values that arrive immediately.
    begin(self)
    subscription.request(.unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    lock.lock()
    defer { lock.unlock() }
    guard deliver != nil, completion == nil, demand > .none else { return .none }
    if sending == nil {
      demand -= 1
      pending = { self.demand += self.deliver?(input) ?? .none }
      let due = lastSent?.advanced(by: interval) ?? scheduler.now
      sending = scheduler.scheduled(at: due) { self.send() }
    } else if latest {
      pending = { self.demand += self.deliver?(input) ?? .none }
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    lock.lock()
    defer { lock.unlock() }
    guard deliver != nil, self.completion == nil else { return }
    self.completion = {
      let finish = self.finish
      self.end()
      finish?(completion)
    }
    guard sending == nil else { return }
    sending = scheduler.scheduled(at: scheduler.now) { self.send() }
  }

  private func send() {
    lock.lock()
    defer { lock.unlock() }
    sending = nil
    if let send = pending {
      pending = nil
      lastSent = scheduler.now
      send()
    }
    completion?()
  }

  func request(_ demand: Subscribers.Demand) {
    lock.lock()
    self.demand += demand
    lock.unlock()
  }

  func cancel() {
    lock.lock()
    let upstream = self.upstream
    end()
    lock.unlock()
    upstream?.cancel()
  }

  private func end() {
    sending?.cancel()
    sending = nil
    pending = nil
    completion = nil
    begin = nil
    deliver = nil
    finish = nil
    upstream = nil
  }
}
#endif
