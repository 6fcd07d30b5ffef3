import Foundation
import FoundationPipelines
import Staging

/// A stage that records the events of publishers: `1@500 main`.
final class QueueRun: @unchecked Sendable {
  let stage = Stage()
  private(set) var events: [String] = []
  private var subscriptions: [AnyCancellable] = []

  /// Records a text with the milliseconds since the start, and whether it is main-actor code.
  ///
  /// OpenCombine computes times of operation queues with numbers of seconds that are a nanosecond
  /// too short.
  func note(_ text: String) {
    let time = (stage.now.nanoseconds + 1) / 1_000_000
    events.append("\(text)@\(time)\(Thread.isMainThread ? " main" : "")")
  }

  /// Runs code on the main queue after a number of milliseconds.
  func at(_ milliseconds: Int, _ body: @escaping () -> Void) {
    let body = OnStage(body: body)
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { body.body() }
  }

  /// Sends each value at its time.
  func send<S: Subject>(_ values: [(S.Output, at: Int)], to subject: S) {
    for (value, time) in values { at(time) { subject.send(value) } }
  }

  /// Subscribes and records the events.
  @discardableResult func watch<P: Publisher>(_ publisher: P) -> AnyCancellable {
    let sink = publisher.sink { completion in
      switch completion {
      case .finished: self.note("finished")
      case .failure: self.note("failed")
      }
    } receiveValue: {
      self.note("\($0)")
    }
    subscriptions.append(sink)
    return sink
  }

  /// Returns the events of `body` and of everything that it starts.
  func events(_ body: @MainActor () -> Void) -> [String] {
    stage.enter(body)
    let stop = stage.settle(limit: 10_000)
    precondition(stop == .idle, "A test's stage must settle: \(stop)")
    return events
  }

  /// Work that runs on the stage's thread only.
  private struct OnStage: @unchecked Sendable {
    let body: () -> Void
  }
}
