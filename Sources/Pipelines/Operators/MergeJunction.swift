#if !canImport(Combine)
/// A junction that forwards the values of all upstreams. Without demand, it stores at most one
/// value of each, because it never requests more.
final class MergeJunction<Downstream: Subscriber>: Junction, Subscription {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  private enum Upstream {
    case awaited
    case live(any Subscription)
    case finished
  }

  private let lock = RecursiveLock()
  private let downstream: Downstream
  private var upstreams: [Upstream]
  private var kept: [(side: Int, value: Input)] = []
  private var demand = Subscribers.Demand.none
  private var isOver = false

  init(downstream: Downstream, count: Int) {
    self.downstream = downstream
    upstreams = Array(repeating: .awaited, count: count)
  }

  // MARK: Upstream events

  func receive(_ subscription: any Subscription, from side: Int) {
    let request: Subscribers.Demand? = lock {
      guard !isOver, case .awaited = upstreams[side] else { return nil }
      upstreams[side] = .live(subscription)
      return demand == .unlimited ? .unlimited : .max(1)
    }
    if let request { subscription.request(request) } else { subscription.cancel() }
  }

  func receive(_ input: Input, from side: Int) -> Subscribers.Demand {
    lock {
      guard !isOver else { return .none }
      guard demand > .none, kept.isEmpty else {
        kept.append((side, input))
        return .none
      }
      let wasUnlimited = demand == .unlimited
      send(input)
      return wasUnlimited ? .none : .max(1)
    }
  }

  func receive(_ completion: Subscribers.Completion<Failure>, from side: Int) {
    lock {
      guard !isOver else { return }
      upstreams[side] = .finished
      guard case .failure = completion else { return finishIfDone() }
      let others = end()
      downstream.receive(completion: completion)
      for other in others { other.cancel() }
    }
  }

  // MARK: Downstream requests

  func request(_ demand: Subscribers.Demand) {
    let asked: [any Subscription] = lock {
      guard !isOver else { return [] }
      let wasUnlimited = self.demand == .unlimited
      self.demand += demand
      let drained = sendKept()
      finishIfDone()
      return wasUnlimited ? [] : self.demand == .unlimited ? live : drained
    }
    for upstream in asked { upstream.request(demand == .unlimited ? .unlimited : .max(1)) }
  }

  func cancel() {
    for upstream in lock({ end() }) { upstream.cancel() }
  }

  // MARK: With the lock

  private var live: [any Subscription] {
    upstreams.compactMap { if case .live(let subscription) = $0 { subscription } else { nil } }
  }

  private func send(_ input: Input) {
    demand -= 1
    demand += downstream.receive(input)
  }

  /// Sends the stored values and returns their upstreams, each of which may send another value.
  private func sendKept() -> [any Subscription] {
    var owners: [any Subscription] = []
    while !isOver, demand > .none, !kept.isEmpty {
      let (side, value) = kept.removeFirst()
      if case .live(let subscription) = upstreams[side] { owners.append(subscription) }
      send(value)
    }
    return owners
  }

  private func finishIfDone() {
    let isDone = upstreams.allSatisfy { if case .finished = $0 { true } else { false } }
    guard !isOver, isDone, kept.isEmpty else { return }
    _ = end()
    downstream.receive(completion: .finished)
  }

  private func end() -> [any Subscription] {
    let upstreams = live
    isOver = true
    self.upstreams = self.upstreams.map { _ in .finished }
    kept = []
    return upstreams
  }
}
#endif
