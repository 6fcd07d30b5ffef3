#if !canImport(Combine)
import Staging

/// Collects values into lists by time, or by time and number (`collect`).
extension Publisher {
  /// Collects values into lists by time, or by time and number.
  ///
  /// OpenCombine has no such operator. The windows follow each other from the subscription on. A
  /// window without values sends nothing, and needs no timer, so that a stage can settle. At the
  /// end, the values of the last window are sent immediately; an error discards them.
  ///
  /// - Parameters:
  ///   - strategy: the stage and the length of a window; with a number, a list with so many values
  ///     is sent immediately.
  ///   - options: none.
  /// - Returns: a publisher of lists, none of which is empty.
  public func collect(
    _ strategy: Publishers.TimeGroupingStrategy<StageScheduler>,
    options: StageScheduler.SchedulerOptions? = nil
  ) -> Publishers.StageCollectByTime<Self> {
    Publishers.StageCollectByTime(upstream: self, strategy: strategy)
  }
}

extension Publishers {
  /// How `collect` forms its lists.
  public enum TimeGroupingStrategy<Context: Scheduler> {
    /// A list for each window of time.
    case byTime(Context, Context.SchedulerTimeType.Stride)
    /// A list for each window of time, and earlier when it has this number of values.
    case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
  }

  /// A publisher that collects the values of its upstream by time.
  public struct StageCollectByTime<Upstream: Publisher>: Publisher {
    /// Lists of the upstream's output.
    public typealias Output = [Upstream.Output]
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    let upstream: Upstream
    let scheduler: StageScheduler
    let window: StageScheduler.SchedulerTimeType.Stride
    let most: Int?

    init(upstream: Upstream, strategy: TimeGroupingStrategy<StageScheduler>) {
      self.upstream = upstream
      switch strategy {
      case .byTime(let scheduler, let window):
        (self.scheduler, self.window, most) = (scheduler, window, nil)
      case .byTimeOrCount(let scheduler, let window, let count):
        (self.scheduler, self.window, most) = (scheduler, window, count)
      }
      precondition(window > .zero, "A window must be longer than zero.")
      precondition(most.map { $0 > 0 } ?? true, "A list must have room for a value.")
    }

    /// Subscribes to the upstream with unlimited demand. The first window begins.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(CollectByTimeInner(collect: self, downstream: subscriber))
    }
  }
}

private final class CollectByTimeInner<Upstream: Publisher, Downstream: Subscriber>: Subscriber,
  Subscription
where Downstream.Input == [Upstream.Output], Downstream.Failure == Upstream.Failure {
  typealias Input = Upstream.Output
  typealias Failure = Upstream.Failure

  private let collect: Publishers.StageCollectByTime<Upstream>
  private let start: StageScheduler.SchedulerTimeType
  private let lock = RecursiveLock()
  private var downstream: Downstream?
  private var upstream: (any Subscription)?
  private var demand = Subscribers.Demand.none
  private var values: [Input] = []
  /// The end of the window, if it has values that can be sent.
  private var timer: Scheduled?
  /// Whether the upstream has finished and the last values wait for demand.
  private var isFinishing = false

  init(collect: Publishers.StageCollectByTime<Upstream>, downstream: Downstream) {
    self.collect = collect
    self.downstream = downstream
    start = collect.scheduler.now
  }

  func receive(subscription: any Subscription) {
    let downstream: Downstream? = lock {
      guard upstream == nil else { return nil }
      upstream = subscription
      return self.downstream
    }
    guard let downstream else { return subscription.cancel() }
    // First, so that there is demand for values that arrive immediately.
    downstream.receive(subscription: self)
    subscription.request(.unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    lock {
      guard downstream != nil, !isFinishing else { return .none }
      values.append(input)
      if isFull { send() } else { startTimer() }
      return .none
    }
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    lock {
      guard downstream != nil, !isFinishing else { return }
      if case .failure = completion { return finish(completion) }
      isFinishing = true
      send()
    }
  }

  func request(_ demand: Subscribers.Demand) {
    lock {
      guard downstream != nil else { return }
      self.demand += demand
      if isFull || isFinishing { send() } else { startTimer() }
    }
  }

  func cancel() {
    let upstream = lock {
      defer { end() }
      return self.upstream
    }
    upstream?.cancel()
  }

  // MARK: With the lock

  private var isFull: Bool { collect.most.map { values.count >= $0 } ?? false }

  private func startTimer() {
    guard timer == nil, !values.isEmpty, demand > .none else { return }
    let passed = start.distance(to: collect.scheduler.now).nanoseconds
    let window = collect.window.nanoseconds
    let (offset, overflow) = (passed / window + 1).multipliedReportingOverflow(by: window)
    let due = start.advanced(by: .init(nanoseconds: overflow ? .max : offset))
    timer = collect.scheduler.scheduled(at: due) {
      self.lock {
        self.timer = nil
        self.send()
      }
    }
  }

  /// Sends the collected values if there are some and demand for them, and then the end, if it has
  /// come.
  private func send() {
    timer?.cancel()
    timer = nil
    if !values.isEmpty, demand > .none, let downstream {
      let list = values
      values = []
      demand -= 1
      demand += downstream.receive(list)
    }
    if isFinishing, values.isEmpty { finish(.finished) }
  }

  private func finish(_ completion: Subscribers.Completion<Failure>) {
    let downstream = self.downstream
    end()
    downstream?.receive(completion: completion)
  }

  private func end() {
    timer?.cancel()
    timer = nil
    values = []
    upstream = nil
    downstream = nil
  }
}
#endif
