import Pipelines

/// Logs the output of a stage without changing it, unless the meter stops an endless pipe.
///
/// Events after a cancellation are neither logged nor passed on: the `delay` of OpenCombine still
/// sends the values that it holds.
struct PipeTap<Upstream: Publisher>: Publisher where Upstream.Failure == any Error {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let meter: PipeMeter
  /// Nil if the stage logs its own events.
  let log: PipeLog?
  let stage: Int
  /// The event of a value for the log.
  let event: (Output) -> PipeLog.Event

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let number = log?.subscribe(to: stage) ?? 0
    upstream.subscribe(Inner(tap: self, number: number, downstream: subscriber))
  }

  /// Used only on the stage's thread, so it needs no lock.
  private final class Inner<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    private let tap: PipeTap
    private let number: Int
    /// Released at the end, like the upstream, because several OpenCombine operators never release
    /// both.
    private var downstream: Downstream?
    private var upstream: (any Subscription)?

    init(tap: PipeTap, number: Int, downstream: Downstream) {
      self.tap = tap
      self.number = number
      self.downstream = downstream
    }

    func receive(subscription: any Subscription) {
      guard upstream == nil, let downstream else { return subscription.cancel() }
      upstream = subscription
      downstream.receive(subscription: self)
    }

    func receive(_ input: Output) -> Subscribers.Demand {
      guard let downstream else { return .none }
      if let problem = tap.meter.count() {
        upstream?.cancel()
        receive(completion: .failure(problem))
        return .none
      }
      tap.log?.add(tap.event(input), stage: tap.stage, subscription: number)
      return downstream.receive(input)
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      guard let downstream else { return }
      self.downstream = nil
      upstream = nil
      switch completion {
      case .finished: tap.log?.add(.finished, stage: tap.stage, subscription: number)
      case .failure(let error):
        tap.log?.add(.failed(error), stage: tap.stage, subscription: number)
      }
      downstream.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }

    func cancel() {
      downstream = nil
      upstream?.cancel()
      upstream = nil
    }
  }
}
