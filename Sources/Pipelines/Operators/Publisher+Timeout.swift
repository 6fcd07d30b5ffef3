#if !canImport(Combine)
extension Publisher {
  /// Ends when nothing has come for so long: as finished, or with an error if one is given.
  ///
  /// It takes the place of OpenCombine's `timeout`, whose timer goes on for ever once it has run out, so
  /// that a stage would never settle.
  ///
  /// - Parameters:
  ///   - interval: how long there may be nothing, counted from the subscription and from each value.
  ///   - scheduler: the stage that counts, and on which values are handed on.
  ///   - options: none.
  ///   - customError: makes the error; nil to finish without one.
  /// - Returns: a publisher that ends in time.
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
  /// Ends when its upstream has sent nothing for so long.
  public struct StageTimeout<Upstream: Publisher>: Publisher {
    /// What the upstream sends.
    public typealias Output = Upstream.Output
    /// How the upstream may fail.
    public typealias Failure = Upstream.Failure

    let upstream: Upstream
    let interval: StageScheduler.SchedulerTimeType.Stride
    let scheduler: StageScheduler
    let customError: (() -> Failure)?

    /// Subscribes to the upstream, and begins to count.
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

  /// Stops the timer, and returns who has to be told, the first time.
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
