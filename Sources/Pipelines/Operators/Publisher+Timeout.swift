#if !canImport(Combine)
/// Ends a pipeline after an interval without values (`timeout`).
extension Publisher {
  /// Ends after an interval without values: finished, or with an error if one is given.
  ///
  /// It replaces OpenCombine's `timeout`, whose timer continues forever after it fired, so that a
  /// stage would never settle.
  ///
  /// - Parameters:
  ///   - interval: the maximum time without a value, counted from the subscription and from each value.
  ///   - scheduler: the stage for the timer and for sending values.
  ///   - options: none.
  ///   - customError: returns the error; nil to finish without one.
  /// - Returns: the publisher with a timeout.
  public func timeout(
    _ interval: StageScheduler.SchedulerTimeType.Stride,
    scheduler: StageScheduler,
    options: StageScheduler.SchedulerOptions? = nil,
    customError: (() -> Failure)? = nil
  ) -> Publishers.StageTimeout<Self> {
    Publishers.StageTimeout(
      upstream: self,
      interval: interval,
      scheduler: scheduler,
      customError: customError
    )
  }
}

extension Publishers {
  /// A publisher that ends if its upstream sends nothing for an interval.
  public struct StageTimeout<Upstream: Publisher>: Publisher {
    /// The upstream's output.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    let upstream: Upstream
    let interval: StageScheduler.SchedulerTimeType.Stride
    let scheduler: StageScheduler
    let customError: (() -> Failure)?

    /// Subscribes to the upstream and starts the timer.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(TimeoutInner(timeout: self, downstream: subscriber))
    }
  }
}

private final class TimeoutInner<Upstream: Publisher, Downstream: Subscriber>: Subscriber,
  Subscription
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  typealias Input = Upstream.Output
  typealias Failure = Upstream.Failure

  private let timeout: Publishers.StageTimeout<Upstream>
  private let lock = RecursiveLock()
  private var downstream: Downstream?
  private var upstream: (any Subscription)?
  private var timer: (any Cancellable)?
  private var isAboutToEnd = false

  init(timeout: Publishers.StageTimeout<Upstream>, downstream: Downstream) {
    self.timeout = timeout
    self.downstream = downstream
  }

  func receive(subscription: any Subscription) {
    let downstream: Downstream? = lock {
      guard upstream == nil else { return nil }
      upstream = subscription
      startTimer()
      return self.downstream
    }
    if let downstream { downstream.receive(subscription: self) } else { subscription.cancel() }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let isWanted = lock {
      guard downstream != nil, !isAboutToEnd else { return false }
      startTimer()
      return true
    }
    if isWanted { timeout.scheduler.schedule { self.handOn(input) } }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    lock {
      isAboutToEnd = true
      timer?.cancel()
    }
    timeout.scheduler.schedule { self.end()?.receive(completion: completion) }
  }

  func request(_ demand: Subscribers.Demand) {
    lock { upstream }?.request(demand)
  }

  func cancel() {
    let upstream = lock { self.upstream }
    _ = end()
    upstream?.cancel()
  }

  private func startTimer() {
    timer?.cancel()
    timer = timeout.scheduler.schedule(
      after: timeout.scheduler.now.advanced(by: timeout.interval),
      interval: timeout.interval
    ) { self.runOut() }
  }

  private func handOn(_ input: Input) {
    guard let downstream = lock({ self.downstream }) else { return }
    let demand = downstream.receive(input)
    if demand > .none { request(demand) }
  }

  private func runOut() {
    let upstream = lock { self.upstream }
    guard let downstream = end() else { return }
    upstream?.cancel()
    downstream.receive(completion: timeout.customError.map { .failure($0()) } ?? .finished)
  }

  /// Stops the timer. Returns the downstream on the first call.
  private func end() -> Downstream? {
    lock {
      timer?.cancel()
      timer = nil
      upstream = nil
      defer { downstream = nil }
      return downstream
    }
  }
}
#endif
