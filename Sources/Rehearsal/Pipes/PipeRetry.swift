import Pipelines

/// Subscribes again after an error, a limited number of times.
///
/// The `retry` of OpenCombine subscribes inside the failing call, so a dozen failures fill the
/// stack. Here the failing call returns before the next attempt begins.
struct PipeRetry<Upstream: Publisher>: Publisher where Upstream.Failure == any Error {
  typealias Output = Upstream.Output
  typealias Failure = any Error

  let upstream: Upstream
  let retries: Int
  let meter: PipeMeter

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let inner = Inner(retry: self, downstream: subscriber)
    subscriber.receive(subscription: inner)
    inner.begin()
  }

  /// Used only on the stage's thread, so it needs no lock.
  private final class Inner<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    private let retry: PipeRetry
    private var downstream: Downstream?
    private var upstream: (any Subscription)?
    private var demand = Subscribers.Demand.none
    private var retriesLeft: Int
    /// Whether a call of the upstream is in progress. Its result is read after it returns.
    private var isCalling = false
    private var end: Subscribers.Completion<Failure>?

    init(retry: PipeRetry, downstream: Downstream) {
      self.retry = retry
      self.downstream = downstream
      retriesLeft = retry.retries
    }

    func begin() {
      guard downstream != nil else { return }
      calling { retry.upstream.subscribe(self) }
    }

    func receive(subscription: any Subscription) {
      guard upstream == nil, downstream != nil else { return subscription.cancel() }
      upstream = subscription
      if demand > .none { subscription.request(demand) }
    }

    func receive(_ input: Output) -> Subscribers.Demand {
      guard let downstream, demand > .none else { return .none }
      demand -= 1
      let more = downstream.receive(input)
      demand += more
      return more
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      guard downstream != nil else { return }
      upstream = nil
      end = completion
      calling {}
    }

    func request(_ demand: Subscribers.Demand) {
      self.demand += demand
      if let upstream { calling { upstream.request(demand) } }
    }

    func cancel() {
      downstream = nil
      end = nil
      upstream?.cancel()
      upstream = nil
    }

    private func calling(_ call: () -> Void) {
      guard !isCalling else { return call() }
      isCalling = true
      call()
      while let end = takeEnd() {
        guard case .failure = end, retriesLeft > 0 else {
          finish(end)
          break
        }
        retriesLeft -= 1
        if let problem = retry.meter.count() {
          finish(.failure(problem))
        } else {
          retry.upstream.subscribe(self)
        }
      }
      isCalling = false
    }

    private func takeEnd() -> Subscribers.Completion<Failure>? {
      defer { end = nil }
      return end
    }

    private func finish(_ end: Subscribers.Completion<Failure>) {
      let downstream = self.downstream
      self.downstream = nil
      downstream?.receive(completion: end)
    }
  }
}

extension PipeFlow {
  func retried(_ count: Int, _ meter: PipeMeter) -> PipeFlow {
    switch self {
    case .values(let values):
      let retry = PipeRetry(upstream: values, retries: count, meter: meter)
      return .values(retry.eraseToAnyPublisher())
    case .publishers(let publishers):
      let retry = PipeRetry(upstream: publishers, retries: count, meter: meter)
      return .publishers(retry.eraseToAnyPublisher())
    }
  }
}
