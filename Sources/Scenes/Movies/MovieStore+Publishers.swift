import Pipelines
import RemoteLoading

extension MovieStore {
  /// The movies, once. They are fetched at once, whether anybody subscribes or not, and nobody can
  /// cancel that.
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

  /// The movies of whatever answer there is, or none: no status is looked at, and no error is told.
  @MainActor func moviesLight(from endpoint: Endpoint) -> Future<[Movie], Never> {
    Future { promise in
      Task { promise(.success((try? await unchecked(endpoint)) ?? [])) }
    }
  }

  /// The movies, fetched for each subscriber, who cancels by leaving.
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
