import Pipelines
import Staging

/// An error.
enum Trouble: Error, Hashable {
  case expected, other
}

/// A stage that records the events of publishers: `-1@0 1@500 finished@1500`.
final class Rehearsing {
  let stage = Stage()
  private(set) var events: [String] = []
  private var subscriptions: [AnyCancellable] = []

  var scheduler: StageScheduler { stage.scheduler }
  var text: String { events.joined(separator: " ") }

  /// The milliseconds since the start, without a fraction if it is zero.
  var time: String {
    let nanoseconds = stage.now.nanoseconds
    return nanoseconds % 1_000_000 == 0
      ? "\(nanoseconds / 1_000_000)" : "\(Double(nanoseconds) / 1_000_000)"
  }

  func note(_ text: String) { events.append("\(text)@\(time)") }

  /// Runs a closure after a time in milliseconds.
  func at(_ milliseconds: Int, _ body: @escaping () -> Void) {
    scheduler.schedule(after: .init(StageInstant(elapsed: .milliseconds(milliseconds))), body)
  }

  /// Sends each value at its time.
  func send<S: Subject>(_ values: [(S.Output, at: Int)], to subject: S) {
    for (value, time) in values { at(time) { subject.send(value) } }
  }

  /// Subscribes and records the events.
  @discardableResult func watch<P: Publisher>(_ publisher: P, as name: String = "")
    -> AnyCancellable
  {
    let sink = publisher.sink { completion in
      switch completion {
      case .finished: self.note(name + "finished")
      case .failure: self.note(name + "failed")
      }
    } receiveValue: {
      self.note("\(name)\($0)")
    }
    subscriptions.append(sink)
    return sink
  }

  /// Runs the stage until no timer is left, and returns the events.
  @discardableResult func settle() -> String {
    let stop = stage.settle(limit: 10_000)
    precondition(stop == .idle, "A test's stage must settle: \(stop)")
    return text
  }
}
