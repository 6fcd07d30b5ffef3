import Pipelines

/// Notes what a stage hands on, and changes nothing, unless the meter says that it will not end.
///
/// What comes after a cancellation is neither noted nor handed on: OpenCombine's `delay` sends what it
/// still holds.
struct PipeTap<Upstream: Publisher>: Publisher where Upstream.Failure == any Error {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let meter: PipeMeter
  /// Nil where somebody else tells what comes.
  let log: PipeLog?
  let stage: Int
  /// What the log says about a value.
  let event: (Output) -> PipeLog.Event

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let number = log?.subscribe(to: stage) ?? 0
    upstream.subscribe(Inner(tap: self, number: number, downstream: subscriber))
  }

  /// Works on the stage's thread alone, so it needs no lock.
  private final class Inner<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    private let tap: PipeTap
    private let number: Int
    /// Let go of at the end, as the upstream is: several of OpenCombine's operators hold both for good.
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
