#if !canImport(Combine)
import Staging

extension Publisher {
  /// Sends everything, the end and an error included, so much later.
  ///
  /// It takes the place of OpenCombine's `delay`, which still sends what it holds when it is cancelled after
  /// its upstream has finished, and which keeps time going for it.
  ///
  /// - Parameters:
  ///   - interval: how much later.
  ///   - tolerance: how late it may be beyond that; a stage is never late.
  ///   - scheduler: the stage on which it waits.
  ///   - options: none.
  /// - Returns: a publisher that does the same, later.
  public func delay(
    for interval: StageScheduler.SchedulerTimeType.Stride,
    tolerance: StageScheduler.SchedulerTimeType.Stride? = nil,
    scheduler: StageScheduler,
    options: StageScheduler.SchedulerOptions? = nil
  ) -> Publishers.StageDelay<Self> {
    Publishers.StageDelay(upstream: self, interval: interval, scheduler: scheduler)
  }
}

extension Publishers {
  /// Sends everything so much later.
  public struct StageDelay<Upstream: Publisher>: Publisher {
    /// What the upstream sends.
    public typealias Output = Upstream.Output
    /// How the upstream may fail.
    public typealias Failure = Upstream.Failure

    let upstream: Upstream
    let interval: StageScheduler.SchedulerTimeType.Stride
    let scheduler: StageScheduler

    /// Subscribes to the upstream.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(DelayInner(delay: self, downstream: subscriber))
    }
  }
}

private final class DelayInner<Upstream: Publisher, Downstream: Subscriber>: Subscriber,
  Subscription
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  typealias Input = Upstream.Output
  typealias Failure = Upstream.Failure

  private enum Event {
    case value(Input)
    case completion(Subscribers.Completion<Failure>)
  }

  private let delay: Publishers.StageDelay<Upstream>
  private let lock = RecursiveLock()
  private var downstream: Downstream?
  private var upstream: (any Subscription)?
  /// What is still to be sent, in the order in which it came, and each with a timer. Whichever timer runs
  /// first sends the first of them, so that nothing overtakes where a stage shuffles what is due.
  private var waiting: ArraySlice<(event: Event, timer: Scheduled)> = []

  init(delay: Publishers.StageDelay<Upstream>, downstream: Downstream) {
    self.delay = delay
    self.downstream = downstream
  }

  func receive(subscription: any Subscription) {
    let downstream: Downstream? = lock {
      guard upstream == nil else { return nil }
      upstream = subscription
      return self.downstream
    }
    if let downstream { downstream.receive(subscription: self) } else { subscription.cancel() }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    hold(.value(input))
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) { hold(.completion(completion)) }

  private func hold(_ event: Event) {
    lock {
      guard downstream != nil else { return }
      let due = delay.scheduler.now.advanced(by: delay.interval)
      waiting.append((event, delay.scheduler.scheduled(at: due) { self.sendFirst() }))
    }
  }

  private func sendFirst() {
    let (event, downstream) = lock { (waiting.popFirst()?.event, self.downstream) }
    switch event {
    case nil: return
    case .value(let input):
      let demand = downstream?.receive(input) ?? .none
      if demand > .none { request(demand) }
    case .completion(let completion):
      end()
      downstream?.receive(completion: completion)
    }
  }

  func request(_ demand: Subscribers.Demand) { lock { upstream }?.request(demand) }

  func cancel() { end()?.cancel() }

  /// Takes everything off the stage, and returns the upstream, the first time.
  @discardableResult private func end() -> (any Subscription)? {
    lock {
      for (_, timer) in waiting { timer.cancel() }
      waiting = []
      downstream = nil
      defer { upstream = nil }
      return upstream
    }
  }
}
#endif
