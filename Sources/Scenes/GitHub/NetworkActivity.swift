import Observation
import Pipelines

/// Whether requests are under way, told in two ways.
@MainActor @Observable final class NetworkActivity {
  /// On when a request begins and off when one ends, whichever: with two at a time it is off too early.
  private(set) var isOn = false
  /// How many requests are under way.
  private(set) var count = 0

  private let log: (String) -> Void

  init(log: @escaping (String) -> Void) {
    self.log = log
  }

  /// The same publisher, watched from subscription to completion or cancellation.
  func watching<P: Publisher>(_ request: P, as name: String) -> some Publisher<P.Output, P.Failure>
  {
    request.handleEvents(
      receiveSubscription: { _ in
        self.log("requested \(name)")
        self.isOn = true
        self.count += 1
      },
      receiveCompletion: { _ in self.end() },
      receiveCancel: {
        self.log("cancelled \(name)")
        self.end()
      }
    )
  }

  private func end() {
    isOn = false
    count -= 1
  }
}
