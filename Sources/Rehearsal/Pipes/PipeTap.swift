import Pipelines
import RehearsalBase

/// Lets a value pass a tap only if there is demand for it, and logs the values that are lost. It
/// requests all values, because an upstream that drops values itself would do so silently.
struct PipeGate {
  /// Whether the latest value waits for demand. Otherwise, it is dropped.
  let keepsLatest: Bool
  /// The reason for the log.
  let reason: String
}

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
  /// Nil if the upstream sends values only on demand.
  let gate: PipeGate?
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
    /// The demand that the gate knows.
    private var demand = Subscribers.Demand.none
    /// The latest value without demand, if the gate keeps it.
    private var kept: Output?

    init(tap: PipeTap, number: Int, downstream: Downstream) {
      self.tap = tap
      self.number = number
      self.downstream = downstream
    }

    func receive(subscription: any Subscription) {
      guard upstream == nil, let downstream else { return subscription.cancel() }
      upstream = subscription
      downstream.receive(subscription: self)
      if tap.gate != nil { upstream?.request(.unlimited) }
    }

    func receive(_ input: Output) -> Subscribers.Demand {
      guard let downstream else { return .none }
      if let problem = tap.meter.count() {
        upstream?.cancel()
        receive(completion: .failure(problem))
        return .none
      }
      guard let gate = tap.gate else { return pass(input, to: downstream) }
      if demand > .none {
        demand -= 1
        demand += pass(input, to: downstream)
      } else if gate.keepsLatest {
        lose(kept)
        kept = input
      } else {
        lose(input)
      }
      return .none
    }

    private func pass(_ input: Output, to downstream: Downstream) -> Subscribers.Demand {
      tap.log?.add(tap.event(input), stage: tap.stage, subscription: number)
      return downstream.receive(input)
    }

    private func lose(_ value: Output?) {
      guard let value, let gate = tap.gate else { return }
      let json = if case .value(let value) = tap.event(value) { value } else { JSONValue?.none }
      tap.log?.add(.lost(json, gate.reason), stage: tap.stage, subscription: number)
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      guard let downstream else { return }
      // Some operators of OpenCombine fail before they have passed on a subscription.
      if upstream == nil { downstream.receive(subscription: self) }
      self.downstream = nil
      upstream = nil
      lose(kept)
      kept = nil
      switch completion {
      case .finished: tap.log?.add(.finished, stage: tap.stage, subscription: number)
      case .failure(let error):
        tap.log?.add(.failed(error), stage: tap.stage, subscription: number)
      }
      downstream.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
      guard tap.gate != nil else {
        upstream?.request(demand)
        return
      }
      self.demand += demand
      guard self.demand > .none, let value = kept, let downstream else { return }
      kept = nil
      self.demand -= 1
      self.demand += pass(value, to: downstream)
    }

    func cancel() {
      downstream = nil
      kept = nil
      upstream?.cancel()
      upstream = nil
    }
  }
}
