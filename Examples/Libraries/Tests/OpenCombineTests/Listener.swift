@preconcurrency import OpenCombine
import Sessions

/// One of several subscribers of a publisher. One thread runs all code of a stage, so nothing guards it.
final class Listener: Subscriber, @unchecked Sendable {
  typealias Input = String
  typealias Failure = SourceError

  private let initial: Subscribers.Demand
  /// The demand that it returns for each value.
  private let each: Subscribers.Demand
  /// Runs at the first value.
  var atFirstValue: (() -> Void)?
  private(set) var got: [Trace.Event] = []
  private(set) var broken: [String] = []
  private(set) var demand = Subscribers.Demand.none
  private(set) var hasRequested = false
  private(set) var subscriptions = 0
  private(set) var isCancelled = false
  private var subscription: (any Subscription)?

  init(initial: Subscribers.Demand, each: Subscribers.Demand) {
    self.initial = initial
    self.each = each
  }

  var values: [String] {
    got.compactMap { if case .value(let value) = $0 { value } else { nil } }
  }
  var end: Trace.Event? { got.first { !$0.isValue } }
  /// Whether it waits for values.
  var isActive: Bool { subscriptions > 0 && !isCancelled && end == nil }
  var isReady: Bool { isActive && demand > 0 }

  func receive(subscription: any Subscription) {
    subscriptions += 1
    if subscriptions > 1 { broken.append("one subscription") }
    self.subscription = subscription
    request(initial)
  }

  func request(_ more: Subscribers.Demand) {
    guard more > 0, isActive else { return }
    hasRequested = true
    demand += more
    subscription?.request(more)
  }

  func receive(_ input: String) -> Subscribers.Demand {
    check(.value(input))
    if demand == 0 { broken.append("values do not exceed the demand") }
    if demand != .unlimited, demand > 0 { demand -= 1 }
    if let action = atFirstValue.take() { action() }
    if isCancelled { return .none }
    demand += each
    return each
  }

  func receive(completion: Subscribers.Completion<SourceError>) {
    if case .failure(let error) = completion {
      check(.failed("\(error)"))
    } else {
      check(.finished)
    }
  }

  private func check(_ event: Trace.Event) {
    if subscriptions == 0 { broken.append("the subscription comes first") }
    // Combine does not require that a publisher stops at once: a completion can follow the value that it sends.
    if isCancelled, event.isValue { broken.append("no value comes after cancel()") }
    if end != nil { broken.append("nothing comes after the completion") }
    got.append(event)
  }

  func cancel() {
    guard isActive else { return }
    isCancelled = true
    subscription?.cancel()
    subscription = nil
  }
}

extension Optional {
  fileprivate mutating func take() -> Wrapped? {
    defer { self = nil }
    return self
  }
}
