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
  let log: PipeLog
  let stage: Int
  /// What the log says about a value.
  let event: (Output) -> PipeLog.Event

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let number = log.subscribe(to: stage)
    upstream.subscribe(Inner(tap: self, number: number, downstream: subscriber))
  }

  /// Works on the stage's thread alone, so it needs no lock.
  private final class Inner<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    private let tap: PipeTap
    private let number: Int
    private let downstream: Downstream
    private var upstream: (any Subscription)?
    private var isOver = false

    init(tap: PipeTap, number: Int, downstream: Downstream) {
      self.tap = tap
      self.number = number
      self.downstream = downstream
    }

    func receive(subscription: any Subscription) {
      guard upstream == nil, !isOver else { return subscription.cancel() }
      upstream = subscription
      downstream.receive(subscription: self)
    }

    func receive(_ input: Output) -> Subscribers.Demand {
      guard !isOver else { return .none }
      if let problem = tap.meter.count() {
        upstream?.cancel()
        receive(completion: .failure(problem))
        return .none
      }
      tap.log.add(tap.event(input), stage: tap.stage, subscription: number)
      return downstream.receive(input)
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      guard !isOver else { return }
      isOver = true
      upstream = nil
      switch completion {
      case .finished: tap.log.add(.finished, stage: tap.stage, subscription: number)
      case .failure(let error):
        tap.log.add(.failed(error), stage: tap.stage, subscription: number)
      }
      downstream.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }

    func cancel() {
      isOver = true
      upstream?.cancel()
      upstream = nil
    }
  }
}
