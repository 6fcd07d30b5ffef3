import Pipelines
import RehearsalBase
import Script
import Staging

/// A load that starts separately for each subscriber, and is cancelled with the subscription.
struct PipeLoadPublisher: Publisher {
  typealias Output = JSONValue
  typealias Failure = any Error

  let loads: PipeLoads
  let plan: PipeLoadPlan
  /// The number of its stage.
  let stage: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let inner = Inner(downstream: subscriber)
    subscriber.receive(subscription: inner)
    inner.begin(self)
  }

  /// Used only on the stage's thread, so it needs no lock.
  private final class Inner<Downstream: Subscriber>: Subscription, @unchecked Sendable
  where Downstream.Input == Output, Downstream.Failure == Failure {
    private var downstream: Downstream?
    private var load: PipeLoad?
    private var hasDemand = false
    /// An answer without demand from the subscriber.
    private var answer: JSONValue?

    init(downstream: Downstream) {
      self.downstream = downstream
    }

    func begin(_ publisher: PipeLoadPublisher) {
      guard downstream != nil else { return }
      assumingMainActor {
        let load = publisher.loads.begin(publisher.plan, stage: publisher.stage) { self.end($0) }
        if downstream != nil { self.load = load }
      }
    }

    private func end(_ result: Result<JSONValue, any Error>) {
      switch result {
      case .failure(let error): finish(.failure(error))
      case .success(let value):
        if hasDemand { deliver(value) } else { answer = value }
      }
    }

    private func deliver(_ value: JSONValue) {
      answer = nil
      _ = downstream?.receive(value)
      finish(.finished)
    }

    private func finish(_ completion: Subscribers.Completion<any Error>) {
      let downstream = self.downstream
      self.downstream = nil
      load = nil
      downstream?.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
      hasDemand = true
      if let answer { deliver(answer) }
    }

    func cancel() {
      downstream = nil
      answer = nil
      guard let load else { return }
      self.load = nil
      assumingMainActor { load.cancel() }
    }
  }
}

/// A load that starts once, immediately, and keeps its result for all subscribers. The load retains
/// it.
@MainActor final class PipeFuture {
  private var result: Result<JSONValue, any Error>?
  private var waiting: [(Result<JSONValue, any Error>) -> Void] = []

  init(_ publisher: PipeLoadPublisher) {
    publisher.loads.countFuture()
    _ = publisher.loads.begin(publisher.plan, stage: publisher.stage) { self.settle($0) }
  }

  private func settle(_ result: Result<JSONValue, any Error>) {
    self.result = result
    let waiting = self.waiting
    self.waiting = []
    for promise in waiting { promise(result) }
  }

  /// A separate future for each subscriber, because a shared one would serve several subscribers in
  /// an order that differs between runs. As with a future, the load continues if they cancel.
  var publisher: ValuePublisher {
    Deferred {
      Future { promise in
        if let result = self.result { promise(result) } else { self.waiting.append(promise) }
      }
    }.eraseToAnyPublisher()
  }
}
