import Observation
import Pipelines
import Staging

/// Observations, and the objects to keep alive for them.
@MainActor final class Watches {
  var kept: [AnyObject] = []
  private var all: Set<AnyCancellable> = []
  private let stage: Stage

  init(on stage: Stage) {
    self.stage = stage
  }

  /// Reports each value of a publisher.
  func of<Value>(_ publisher: some Publisher<Value, Never>, _ body: @escaping (Value) -> Void) {
    publisher.sink(receiveValue: body).store(in: &all)
  }

  /// Reports a value that Observation tracks, at the end of each instant at which it changed.
  func of(_ read: @escaping @MainActor () -> String, _ tell: @escaping @MainActor (String) -> Void)
  {
    let stage = stage
    let before = read()
    _ = withObservationTracking(read) {
      stage.schedule(at: stage.now) {
        stage.schedule(at: stage.now) {
          stage.schedule(at: stage.now) {
            let after = read()
            if after != before { tell(after) }
            self.of(read, tell)
          }
        }
      }
    }
  }
}
