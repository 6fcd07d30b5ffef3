import RemoteLoading

package struct Movie: Decodable {
  package let id: Int
  package let title: String
}

/// Fetches the movies of an endpoint with async code.
struct MovieStore {
  let client: RemoteClient
  var base = "http://movies.example/3"

  /// Fetches the movies of an endpoint.
  ///
  /// - Throws: `MovieStoreAPIError`; `CancellationError` if the task is cancelled.
  func fetchMovies(from endpoint: Endpoint) async throws -> [Movie] {
    do {
      return try await client.fetch(Page.self, try request(for: endpoint)).results
    } catch let error as CancellationError {
      throw error
    } catch {
      throw MovieStoreAPIError(error)
    }
  }

  func request(for endpoint: Endpoint) throws -> RemoteRequest {
    try RemoteRequest(url: "\(base)/movie/\(endpoint.rawValue)")
  }

  struct Page: Decodable {
    let results: [Movie]
  }
}
