#if !canImport(Combine)
/// A junction that stores the latest value of each upstream and, once every upstream has sent one,
/// sends all of them whenever one changes.
///
/// As in Combine, a value that arrives while the downstream receives a combination is only stored.
final class CombineLatestJunction<Latest, Downstream: Subscriber>: Junction, Subscription {
  /// Stores a value.
  typealias Input = (inout Latest) -> Void
  typealias Failure = Downstream.Failure

  private let lock = RecursiveLock()
  private let downstream: Downstream
  private var latest: Latest
  /// Returns the combination, nil while a value is missing.
  private let combination: (Latest) -> Downstream.Input?
  private var upstreams: [(any Subscription)?]
  private var unfinished: Int
  private var demand = Subscribers.Demand.none
  private var isSending = false
  private var isOver = false

  init(
    downstream: Downstream,
    count: Int,
    latest: Latest,
    combination: @escaping (Latest) -> Downstream.Input?
  ) {
    self.downstream = downstream
    self.latest = latest
    self.combination = combination
    upstreams = Array(repeating: nil, count: count)
    unfinished = count
  }

  // MARK: Upstream events

  func receive(_ subscription: any Subscription, from side: Int) {
    let isWanted = lock {
      guard !isOver, upstreams[side] == nil else { return false }
      upstreams[side] = subscription
      return true
    }
    if !isWanted { subscription.cancel() }
  }

  func receive(_ input: Input, from side: Int) -> Subscribers.Demand {
    lock {
      guard !isOver else { return .none }
      input(&latest)
      guard !isSending, demand > .none, let values = combination(latest) else { return .none }
      send(values)
      return .none
    }
  }

  /// Forwards further demand to every upstream, because any of them may send the next value.
  /// (Combine only stores it, and stops when the upstreams have satisfied their first demand.)
  private func send(_ values: Downstream.Input) {
    isSending = true
    demand -= 1
    let more = downstream.receive(values)
    isSending = false
    if more > .none { request(more) }
  }

  func receive(_ completion: Subscribers.Completion<Failure>, from side: Int) {
    lock {
      guard !isOver else { return }
      upstreams[side] = nil
      unfinished -= 1
      if case .finished = completion, unfinished > 0 { return }
      let others = end()
      downstream.receive(completion: completion)
      for other in others { other.cancel() }
    }
  }

  // MARK: Downstream requests

  func request(_ demand: Subscribers.Demand) {
    let upstreams: [any Subscription] = lock {
      guard !isOver else { return [] }
      self.demand += demand
      return self.upstreams.compactMap(\.self)
    }
    for upstream in upstreams { upstream.request(demand) }
  }

  func cancel() {
    for upstream in lock({ end() }) { upstream.cancel() }
  }

  private func end() -> [any Subscription] {
    let live = upstreams.compactMap(\.self)
    isOver = true
    upstreams = upstreams.map { _ in nil }
    return live
  }
}
#endif
