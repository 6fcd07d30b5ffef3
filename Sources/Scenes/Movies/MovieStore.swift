import RemoteLoading

struct Movie: Decodable {
  let id: Int
  let title: String
}

/// Fetches lists of movies.
struct MovieStore {
  let client: RemoteClient
  var base = "http://movies.example/3"

  /// - Throws: `MovieStoreAPIError`; `CancellationError` when the task is cancelled.
  func fetchMovies(from endpoint: Endpoint) async throws -> [Movie] {
    do {
      let request = try RemoteRequest(url: "\(base)/movie/\(endpoint.rawValue)")
      return try await client.fetch(Page.self, request).results
    } catch let error as CancellationError {
      throw error
    } catch {
      throw MovieStoreAPIError(error)
    }
  }

  private struct Page: Decodable {
    let results: [Movie]
  }
}
