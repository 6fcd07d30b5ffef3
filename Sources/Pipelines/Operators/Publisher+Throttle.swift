#if !canImport(Combine)
extension Publisher {
  /// Sends the first value at once, and then one value at the end of each interval in which any came.
  ///
  /// It takes the place of OpenCombine's `throttle`, which loses what its upstream sends at once, like the
  /// current value of a `@Published` property, and which leaves an action on the stage when it is
  /// cancelled.
  ///
  /// - Parameters:
  ///   - interval: how long after a value nothing is sent.
  ///   - scheduler: the stage on which values are sent, each in an action of its own.
  ///   - latest: which value of an interval is sent: the latest, or the first.
  /// - Returns: a publisher that sends no more often than that.
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
  /// Sends one value of each interval.
  public struct StageThrottle<Upstream: Publisher>: Publisher {
    /// What the upstream sends.
    public typealias Output = Upstream.Output
    /// How the upstream may fail.
    public typealias Failure = Upstream.Failure

    let upstream: Upstream
    let interval: StageScheduler.SchedulerTimeType.Stride
    let scheduler: StageScheduler
    let latest: Bool

    /// Subscribes to the upstream, and asks it for all that it has.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(ThrottleInner(throttle: self, downstream: subscriber))
    }
  }
}

private final class ThrottleInner<Upstream: Publisher, Downstream: Subscriber>: Subscriber,
  Subscription
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  typealias Input = Upstream.Output
  typealias Failure = Upstream.Failure

  private let throttle: Publishers.StageThrottle<Upstream>
  private let lock = RecursiveLock()
  private var downstream: Downstream?
  private var upstream: (any Subscription)?
  private var demand = Subscribers.Demand.none
  private var lastSent: StageScheduler.SchedulerTimeType?
  private var pending: Input?
  private var completion: Subscribers.Completion<Failure>?
  /// What will send the pending value, and then the completion.
  private var sending: (any Cancellable)?

  init(throttle: Publishers.StageThrottle<Upstream>, downstream: Downstream) {
    self.throttle = throttle
    self.downstream = downstream
  }

  func receive(subscription: any Subscription) {
    let downstream: Downstream? = lock {
      guard upstream == nil else { return nil }
      upstream = subscription
      return self.downstream
    }
    guard let downstream else { return subscription.cancel() }
    // First, so that there is demand for what comes at once.
    downstream.receive(subscription: self)
    subscription.request(.unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    lock {
      guard downstream != nil, completion == nil, demand > .none else { return .none }
      if sending == nil {
        demand -= 1
        pending = input
        let due = lastSent?.advanced(by: throttle.interval) ?? throttle.scheduler.now
        sending = throttle.scheduler.scheduled(at: due) { self.send() }
      } else if throttle.latest {
        pending = input
      }
      return .none
    }
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    lock {
      guard downstream != nil, self.completion == nil else { return }
      self.completion = completion
      guard sending == nil else { return }
      sending = throttle.scheduler.scheduled(at: throttle.scheduler.now) { self.send() }
    }
  }

  private func send() {
    lock {
      sending = nil
      if let input = pending {
        pending = nil
        lastSent = throttle.scheduler.now
        if let downstream { demand += downstream.receive(input) }
      }
      if let completion { end()?.receive(completion: completion) }
    }
  }

  func request(_ demand: Subscribers.Demand) {
    lock { self.demand += demand }
  }

  func cancel() {
    let upstream = lock {
      _ = end()
      return self.upstream
    }
    upstream?.cancel()
  }

  private func end() -> Downstream? {
    sending?.cancel()
    sending = nil
    pending = nil
    defer { downstream = nil }
    return downstream
  }
}
#endif
