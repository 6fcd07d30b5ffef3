import Pipelines
import Staging

/// Something that goes wrong.
enum Trouble: Error, Hashable {
  case expected, other
}

/// A stage, and what publishers did on it: `-1@0 1@500 finished@1500`.
final class Rehearsing {
  let stage = Stage()
  private(set) var events: [String] = []
  private var subscriptions: [AnyCancellable] = []

  var scheduler: StageScheduler { stage.scheduler }
  var text: String { events.joined(separator: " ") }

  /// Milliseconds since the start, without a fraction where there is none.
  var time: String {
    let nanoseconds = stage.now.nanoseconds
    return nanoseconds % 1_000_000 == 0
      ? "\(nanoseconds / 1_000_000)" : "\(Double(nanoseconds) / 1_000_000)"
  }

  func note(_ text: String) { events.append("\(text)@\(time)") }

  /// Does something when so many milliseconds have passed.
  func at(_ milliseconds: Int, _ body: @escaping () -> Void) {
    scheduler.schedule(after: .init(StageInstant(elapsed: .milliseconds(milliseconds))), body)
  }

  /// Sends each value at its time.
  func send<S: Subject>(_ values: [(S.Output, at: Int)], to subject: S) {
    for (value, time) in values { at(time) { subject.send(value) } }
  }

  /// Subscribes, and notes what comes.
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

  /// Lets all time pass that something waits for.
  ///
  /// - Returns: what happened.
  @discardableResult func settle() -> String {
    let stop = stage.settle(limit: 10_000)
    precondition(stop == .idle, "A test's stage comes to rest: \(stop)")
    return text
  }
}
