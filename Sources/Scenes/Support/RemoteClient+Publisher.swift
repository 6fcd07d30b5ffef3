import Pipelines
import RemoteLoading

extension RemoteClient {
  /// Publishes the response: asked for anew for each subscriber, who ends the request by leaving.
  ///
  /// A request that was cancelled by others than the subscriber fails with `CancellationError`.
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

/// A request under way.
@MainActor private final class Flight {
  var task: Task<Void, Never>?
}
