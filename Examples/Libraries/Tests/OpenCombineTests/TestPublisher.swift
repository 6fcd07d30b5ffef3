import Exploring
@preconcurrency import OpenCombine
import Sessions

/// What happened in one run. One thread runs all code of a stage, and synchronous code is not interrupted, so nothing
/// guards it.
final class Trace: @unchecked Sendable {
  /// A value or an end.
  enum Event: Equatable {
    case value(String)
    case finished
    case failed(String)
  }

  let clock = SessionLog(sources: 0, consumers: 0)
  /// What each source has delivered, with seconds.
  var delivered: [[(event: Event, second: Int)]]
  /// The subscriptions of each source that are neither cancelled nor completed.
  var open: [Int]
  /// What the subscriber got.
  var got: [(event: Event, second: Int)] = []
  var subscriptions = 0
  var demand = Subscribers.Demand.none
  var isCancelled = false
  var cancelSecond: Int?
  var broken: [BrokenRule] = []
  /// Whether the subscriber always had unlimited demand.
  var isUnlimited = false

  init(sources: Int) {
    delivered = Array(repeating: [], count: sources)
    open = Array(repeating: 0, count: sources)
  }

  /// Combine does not require a publisher to stop at once, "but the cancel() call should take effect quickly".
  func checkCancellation() {
    if let cancelSecond, clock.second > cancelSecond {
      breaks("nothing comes after the instant of cancel()")
    }
  }

  func breaks(_ rule: String) { broken.append(BrokenRule(rule, description)) }

  var description: String {
    func text(_ events: [(event: Event, second: Int)]) -> String {
      events.map { "\($0.event)@\($0.second)" }.joined(separator: " ")
    }
    return "sources \(delivered.map(text).joined(separator: " | ")); got \(text(got))"
      + (cancelSecond.map { ", cancelled@\($0)" } ?? "")
  }

  func values(_ source: Int) -> [String] { Self.values(delivered[source]) }
  func end(_ source: Int) -> Event? { delivered[source].last { !$0.event.isValue }?.event }
  var gotValues: [String] { Self.values(got) }
  var gotEnd: Event? { got.first { !$0.event.isValue }?.event }

  private static func values(_ events: [(event: Event, second: Int)]) -> [String] {
    events.compactMap { if case .value(let value) = $0.event { value } else { nil } }
  }
}

extension Trace.Event {
  var isValue: Bool { if case .value = self { true } else { false } }
}

/// A publisher that follows a plan. It respects demand.
struct TestPublisher: Publisher {
  typealias Output = String
  typealias Failure = SourceError

  enum Kind { case scheduled, immediate, hot }

  let plan: SourcePlan
  let kind: Kind
  let index: Int
  let trace: Trace

  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == String, Downstream.Failure == SourceError {
    let emission = Emission(self, AnySubscriber(subscriber))
    trace.open[index] += 1
    subscriber.receive(subscription: emission)
    emission.start()
  }

  /// One subscription.
  final class Emission: Subscription, @unchecked Sendable {
    private let source: TestPublisher
    private var downstream: AnySubscriber<String, SourceError>?
    private var demand = Subscribers.Demand.none
    private var ready: [String] = []
    private var hasEnded = false
    private var isDraining = false
    private var task: Task<Void, any Error>?

    init(_ source: TestPublisher, _ downstream: AnySubscriber<String, SourceError>) {
      self.source = source
      self.downstream = downstream
      if source.kind == .immediate {
        ready = source.plan.delays.indices.map { "\(source.plan.name)\($0 + 1)" }
        hasEnded = source.plan.end != .never
      }
    }

    @MainActor private func emit() async throws {
      for (number, delay) in source.plan.delays.enumerated() {
        if delay > 0 { try await Task.sleep(for: .seconds(delay)) }
        if source.kind == .scheduled || demand > 0 {
          ready.append("\(source.plan.name)\(number + 1)")
        }
        drain()
      }
      guard source.plan.end != .never else { return }
      if source.plan.endDelay > 0 { try await Task.sleep(for: .seconds(source.plan.endDelay)) }
      hasEnded = true
      drain()
    }

    func start() {
      if source.kind == .immediate { return drain() }
      guard downstream != nil else { return }
      task = Task { @MainActor in try await emit() }
    }

    func request(_ more: Subscribers.Demand) {
      guard downstream != nil else { return }
      demand += more
      drain()
    }

    private func drain() {
      guard !isDraining else { return }
      isDraining = true
      defer { isDraining = false }
      let (trace, index) = (source.trace, source.index)
      while let downstream, demand > 0, !ready.isEmpty {
        if demand != .unlimited { demand -= 1 }
        let value = ready.removeFirst()
        trace.delivered[index].append((.value(value), trace.clock.second))
        demand += downstream.receive(value)
      }
      guard hasEnded, ready.isEmpty, let downstream else { return }
      self.downstream = nil
      trace.open[index] -= 1
      let fails = source.plan.end == .fail
      let error = SourceError(source: source.plan.name)
      trace.delivered[index].append((fails ? .failed("\(error)") : .finished, trace.clock.second))
      downstream.receive(completion: fails ? .failure(error) : .finished)
    }

    func cancel() {
      guard downstream != nil else { return }
      downstream = nil
      source.trace.open[source.index] -= 1
      task?.cancel()
    }
  }
}

/// A subscriber with a plan for its demand and its cancellation.
final class TestSubscriber: Subscriber, @unchecked Sendable {
  typealias Input = String
  typealias Failure = SourceError

  struct Plan {
    var initial = Subscribers.Demand.unlimited
    /// The demand that it returns for each value.
    var each = Subscribers.Demand.none
    /// Demands at seconds 1, 2 and 3.
    var later: [Int] = [0, 0, 0]
    var cancelAfter: Int?
    var cancelSecond: Int?
    /// Whether it requests more after its cancel(). In a program, two threads can do both at the same time.
    var requestsAfterCancel = false
  }

  private let plan: Plan
  private let trace: Trace
  private var subscription: (any Subscription)?
  private var cancelled: (any Subscription)?

  init(_ plan: Plan, _ trace: Trace) {
    self.plan = plan
    self.trace = trace
  }

  func receive(subscription: any Subscription) {
    trace.subscriptions += 1
    if trace.subscriptions > 1 { trace.breaks("one subscription") }
    self.subscription = subscription
    request(plan.initial)
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > 0, let subscription = subscription ?? cancelled, trace.gotEnd == nil else {
      return
    }
    trace.demand += demand
    subscription.request(demand)
  }

  func receive(_ input: String) -> Subscribers.Demand {
    let second = trace.clock.second
    trace.got.append((.value(input), second))
    if trace.subscriptions == 0 { trace.breaks("the subscription comes first") }
    trace.checkCancellation()
    if trace.got.dropLast().contains(where: { !$0.event.isValue }) {
      trace.breaks("nothing comes after the completion")
    }
    if trace.demand == 0 { trace.breaks("values do not exceed the demand") }
    if trace.demand != .unlimited, trace.demand > 0 { trace.demand -= 1 }
    if trace.gotValues.count == plan.cancelAfter {
      cancel()
      return .none
    }
    trace.demand += plan.each
    return plan.each
  }

  func receive(completion: Subscribers.Completion<SourceError>) {
    trace.checkCancellation()
    if trace.gotEnd != nil { trace.breaks("one completion") }
    let event: Trace.Event =
      if case .failure(let error) = completion { .failed("\(error)") } else { .finished }
    trace.got.append((event, trace.clock.second))
    if trace.subscriptions == 0 { trace.breaks("the subscription comes first") }
    subscription = nil
  }

  func cancel() {
    guard trace.gotEnd == nil, let subscription, !trace.isCancelled else { return }
    trace.isCancelled = true
    trace.cancelSecond = trace.clock.second
    self.subscription = nil
    if plan.requestsAfterCancel { cancelled = subscription }
    subscription.cancel()
  }
}
