#if !canImport(Combine)
/// Moves values, or the subscription, to another action at the same instant: `receive(on:)` and `subscribe(on:)`.
extension Publisher {
  /// Sends everything in its own action at the current instant, in order, as on a main queue.
  ///
  /// It replaces OpenCombine's `receive(on:)`, whose values change their order if the stage chooses
  /// another order of actions, and which still sends after a cancellation. A concurrent queue may
  /// change the order; for it, use `Publishers.ReceiveOn`.
  ///
  /// - Parameters:
  ///   - scheduler: the stage for the actions.
  ///   - options: none.
  /// - Returns: the publisher.
  public func receive(
    on scheduler: StageScheduler,
    options: StageScheduler.SchedulerOptions? = nil
  ) -> Publishers.StageDelay<Self> {
    delay(for: .zero, scheduler: scheduler)
  }

  /// Subscribes in an action of its own at the current instant, and later requests and cancels in
  /// further ones.
  ///
  /// It replaces OpenCombine's `subscribe(on:)`, which passes on its subscription in that action:
  /// OpenCombine's `zip` stops the program if a subscription comes so late. A cancellation before
  /// the action prevents the subscription.
  ///
  /// - Parameters:
  ///   - scheduler: the stage for the actions.
  ///   - options: none.
  /// - Returns: the publisher.
  public func subscribe(
    on scheduler: StageScheduler,
    options: StageScheduler.SchedulerOptions? = nil
  ) -> Publishers.StageSubscribeOn<Self> {
    Publishers.StageSubscribeOn(upstream: self, scheduler: scheduler)
  }
}

extension Publishers {
  /// A publisher that subscribes to its upstream in an action of a stage.
  public struct StageSubscribeOn<Upstream: Publisher>: Publisher {
    /// The upstream's output.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    let upstream: Upstream
    let scheduler: StageScheduler

    /// Schedules the subscription to the upstream.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let inner = SubscribeOnInner<Upstream, S>(scheduler: scheduler, downstream: subscriber)
      subscriber.receive(subscription: inner)
      scheduler.schedule {
        if inner.isWanted { upstream.subscribe(inner) }
      }
    }
  }
}

private final class SubscribeOnInner<Upstream: Publisher, Downstream: Subscriber>: Subscriber,
  Subscription
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  typealias Input = Upstream.Output
  typealias Failure = Upstream.Failure

  private let scheduler: StageScheduler
  private let lock = RecursiveLock()
  private var downstream: Downstream?
  private var upstream: (any Subscription)?
  /// The demand that the upstream does not know yet.
  private var demand = Subscribers.Demand.none

  init(scheduler: StageScheduler, downstream: Downstream) {
    self.scheduler = scheduler
    self.downstream = downstream
  }

  var isWanted: Bool { lock { downstream != nil } }

  func receive(subscription: any Subscription) {
    let isAccepted = lock {
      guard downstream != nil, upstream == nil else { return false }
      upstream = subscription
      return true
    }
    if isAccepted { passDemand() } else { subscription.cancel() }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    lock { downstream }?.receive(input) ?? .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let downstream = lock {
      defer { (self.downstream, upstream) = (nil, nil) }
      return self.downstream
    }
    downstream?.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) {
    let isSubscribed = lock {
      self.demand += demand
      return upstream != nil
    }
    if isSubscribed { scheduler.schedule { self.passDemand() } }
  }

  private func passDemand() {
    let (upstream, demand) = lock {
      defer { self.demand = .none }
      return (self.upstream, self.demand)
    }
    if demand > .none { upstream?.request(demand) }
  }

  func cancel() {
    let upstream = lock {
      defer { (downstream, self.upstream) = (nil, nil) }
      return self.upstream
    }
    if let upstream { scheduler.schedule { upstream.cancel() } }
  }
}
#endif
