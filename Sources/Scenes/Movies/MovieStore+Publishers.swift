import Pipelines
import RemoteLoading

/// Fetches lists of movies as futures and publishers.
extension MovieStore {
  /// Fetches the movies once, immediately, with or without subscribers. It cannot be cancelled.
  @MainActor func moviesFuture(from endpoint: Endpoint) -> Future<[Movie], MovieStoreAPIError> {
    Future { promise in
      Task {
        do {
          promise(.success(try await fetchMovies(from: endpoint)))
        } catch {
          promise(.failure(MovieStoreAPIError(error)))
        }
      }
    }
  }

  /// Fetches the movies from any response, ignoring the status. An error gives an empty list.
  @MainActor func moviesLight(from endpoint: Endpoint) -> Future<[Movie], Never> {
    Future { promise in
      Task { promise(.success((try? await unchecked(endpoint)) ?? [])) }
    }
  }

  /// Publishes the movies, fetched for each subscriber. Unsubscribing cancels the request.
  @MainActor func moviesPublisher(
    from endpoint: Endpoint
  ) -> AnyPublisher<[Movie], MovieStoreAPIError> {
    do {
      return client.publisher(for: try request(for: endpoint))
        .tryMap { try RemoteDecoding().decode(Page.self, from: $0.body).results }
        .mapError { MovieStoreAPIError($0) }
        .eraseToAnyPublisher()
    } catch {
      return Fail(error: MovieStoreAPIError(error)).eraseToAnyPublisher()
    }
  }

  private func unchecked(_ endpoint: Endpoint) async throws -> [Movie] {
    let response = try await client.transport.send(try request(for: endpoint)) { _ in }
    return try RemoteDecoding().decode(Page.self, from: response.body).results
  }
}
