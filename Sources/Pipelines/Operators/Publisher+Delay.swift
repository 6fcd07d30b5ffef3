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

/// Something that is still to be sent, and the timer that will send it. Not generic, and `DelayInner` keeps
/// its downstream as closures, since looking generic types up is what such code spends its time on.
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
  /// In the order in which it came. Whichever timer runs first sends the first of them, so that nothing
  /// overtakes where a stage shuffles what is due.
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

  /// Takes everything off the stage, and returns the upstream, the first time.
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
