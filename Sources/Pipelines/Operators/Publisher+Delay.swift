#if !canImport(Combine)
import Staging

/// Delays values and the end by an interval (`delay`); cancels its timers with the subscription.
extension Publisher {
  /// Delays all values, the completion and errors by an interval.
  ///
  /// It replaces OpenCombine's `delay`. If that is cancelled after its upstream has finished, it
  /// still sends its stored values and keeps timers on the stage.
  ///
  /// - Parameters:
  ///   - interval: the delay.
  ///   - tolerance: the tolerance beyond the interval, which a stage does not need.
  ///   - scheduler: the stage for the timers.
  ///   - options: none.
  /// - Returns: the delayed publisher.
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
  /// A publisher that delays its upstream by an interval.
  public struct StageDelay<Upstream: Publisher>: Publisher {
    /// The upstream's output.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
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

/// A stored event with its timer. Not generic, and `DelayInner` stores its downstream as closures,
/// because most of the time would go into looking up generic types.
private struct Held {
  let timer: Scheduled
  let send: () -> Void
}

private final class DelayInner<Upstream: Publisher, Downstream: Subscriber>: Subscriber,
  Subscription
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  typealias Input = Upstream.Output
  typealias Failure = Upstream.Failure

  private let scheduler: StageScheduler
  private let interval: StageScheduler.SchedulerTimeType.Stride
  private let lock = RecursiveLock()
  /// The downstream, until the end.
  private var begin: ((any Subscription) -> Void)?
  private var send: ((Input) -> Subscribers.Demand)?
  private var finish: ((Subscribers.Completion<Failure>) -> Void)?
  private var upstream: (any Subscription)?
  /// The stored events, in order. Whichever timer runs first sends the first event, so that events
  /// keep their order even if the stage shuffles timers that are due together.
  private var waiting: ArraySlice<Held> = []

  init(delay: Publishers.StageDelay<Upstream>, downstream: Downstream) {
    scheduler = delay.scheduler
    interval = delay.interval
    begin = { downstream.receive(subscription: $0) }
    send = { downstream.receive($0) }
    finish = { downstream.receive(completion: $0) }
  }

  func receive(subscription: any Subscription) {
    lock.lock()
    let begin = upstream == nil ? self.begin : nil
    if begin != nil { upstream = subscription }
    self.begin = nil
    lock.unlock()
    if let begin { begin(self) } else { subscription.cancel() }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    hold { self.deliver(input) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    hold {
      let finish = self.lock { self.finish }
      self.end()
      finish?(completion)
    }
  }

  private func hold(_ body: @escaping () -> Void) {
    lock.lock()
    defer { lock.unlock() }
    guard send != nil else { return }
    let due = scheduler.now.advanced(by: interval)
    waiting.append(Held(timer: scheduler.scheduled(at: due) { self.sendFirst() }, send: body))
  }

  private func sendFirst() {
    lock.lock()
    let first = waiting.popFirst()
    lock.unlock()
    first?.send()
  }

  private func deliver(_ input: Input) {
    lock.lock()
    let send = self.send
    lock.unlock()
    let demand = send?(input) ?? .none
    if demand > .none { request(demand) }
  }

  func request(_ demand: Subscribers.Demand) {
    lock.lock()
    let upstream = self.upstream
    lock.unlock()
    upstream?.request(demand)
  }

  func cancel() { end()?.cancel() }

  /// Removes all timers. Returns the upstream on the first call.
  @discardableResult private func end() -> (any Subscription)? {
    lock.lock()
    defer { lock.unlock() }
    for held in waiting { held.timer.cancel() }
    waiting = []
    begin = nil
    send = nil
    finish = nil
    defer { upstream = nil }
    return upstream
  }
}
#endif
