import Pipelines
import RehearsalBase
import Script

/// Keeps values until there is demand for them.
///
/// Like Combine's `buffer`, and reports the values that it drops, which the one of OpenCombine does
/// not.
struct PipeBuffer: Publisher {
  typealias Output = JSONValue
  typealias Failure = any Error

  let upstream: ValuePublisher
  let size: Int
  /// Whether it requests only as many values as it can keep; otherwise, all.
  let keepsFull: Bool
  let whenFull: PipeSpec.Overflow
  let reportDrop: (JSONValue) -> Void

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Inner(buffer: self, downstream: subscriber))
  }

  /// Used only on the stage's thread, so it needs no lock.
  private final class Inner<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    private let buffer: PipeBuffer
    private var downstream: Downstream?
    private var upstream: (any Subscription)?
    private var demand = Subscribers.Demand.none
    private var values: ArraySlice<JSONValue> = []
    private var isSending = false
    private var end: Subscribers.Completion<Failure>?
    /// Whether it has failed because it was full. This error comes after the values.
    private var hasOverflowed = false

    init(buffer: PipeBuffer, downstream: Downstream) {
      self.buffer = buffer
      self.downstream = downstream
    }

    func receive(subscription: any Subscription) {
      guard upstream == nil, let downstream else { return subscription.cancel() }
      upstream = subscription
      downstream.receive(subscription: self)
      subscription.request(buffer.keepsFull ? .max(buffer.size) : .unlimited)
    }

    func receive(_ input: JSONValue) -> Subscribers.Demand {
      guard downstream != nil, end == nil else { return .none }
      if values.count >= buffer.size {
        switch buffer.whenFull {
        case .dropOldest:
          if let oldest = values.popFirst() { buffer.reportDrop(oldest) }
        case .dropNewest:
          buffer.reportDrop(input)
          return .none
        case .fail(let spec):
          buffer.reportDrop(input)
          hasOverflowed = true
          end = .failure(spec.error)
          upstream?.cancel()
          upstream = nil
          return .none
        }
      }
      values.append(input)
      send()
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      guard downstream != nil, end == nil else { return }
      upstream = nil
      end = completion
      send()
    }

    func request(_ demand: Subscribers.Demand) {
      self.demand += demand
      send()
    }

    func cancel() {
      let upstream = self.upstream
      close()
      upstream?.cancel()
    }

    /// Sends the values for which there is demand, and then the end, if it has come. An error of the
    /// upstream does not wait for demand.
    private func send() {
      guard !isSending else { return }
      isSending = true
      defer { isSending = false }
      while demand > .none, let downstream, let value = values.popFirst() {
        demand -= 1
        demand += downstream.receive(value)
        if buffer.keepsFull { upstream?.request(.max(1)) }
      }
      guard let end, let downstream else { return }
      if case .failure = end, !hasOverflowed {} else if !values.isEmpty { return }
      close()
      downstream.receive(completion: end)
    }

    private func close() {
      downstream = nil
      upstream = nil
      values = []
    }
  }
}
