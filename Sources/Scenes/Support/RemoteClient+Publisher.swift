import Pipelines
import RemoteLoading

/// Publishes the response of a request, sent for each subscriber; unsubscribing cancels it.
extension RemoteClient {
  /// Publishes the response. Each subscriber sends its own request; unsubscribing cancels it.
  ///
  /// If another cause cancels a request, it fails with `CancellationError`.
  @MainActor func publisher(
    for request: RemoteRequest
  ) -> some Publisher<RemoteResponse, any Error> {
    Deferred {
      let flight = Flight()
      return Future<RemoteResponse, any Error> { promise in
        flight.task = Task {
          do { promise(.success(try await fetch(request))) } catch { promise(.failure(error)) }
        }
      }
      .handleEvents(receiveCancel: { flight.task?.cancel() })
    }
  }
}

/// A request in flight.
@MainActor private final class Flight {
  var task: Task<Void, Never>?
}
