import Observation
import Pipelines

/// The requests in flight, as a Bool and as a count.
@MainActor @Observable final class NetworkActivity {
  /// Set when a request begins and cleared when any request ends. If two overlap, it is cleared too
  /// early.
  private(set) var isOn = false
  /// The number of requests in flight.
  private(set) var count = 0

  private let log: (String) -> Void

  init(log: @escaping (String) -> Void) {
    self.log = log
  }

  /// Returns the publisher, counted from its subscription to its completion or cancellation.
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
