import Foundation
import FoundationPipelines
import RemoteLoading
import Scenes

struct MoviesResponse: Decodable {
  let results: [Movie]
}

/// The movie store of CombineFetchAPI.
final class TMDbStore {
  var baseAPIURL = "http://movies.example/3"
  private let client: RemoteClient
  private let decoder = ResponseDecoder()
  private var subscriptions = Set<AnyCancellable>()

  init(client: RemoteClient) {
    self.client = client
  }

  /// Publishes the movies of any response; an empty list after an error.
  func fetchMoviesLight(from endpoint: Endpoint) -> AnyPublisher<[Movie], Never> {
    client.dataTaskPublisher(for: url(of: endpoint))
      .map { $0.body }
      .decode(type: MoviesResponse.self, decoder: decoder)
      .replaceError(with: MoviesResponse(results: []))
      .map { $0.results }
      .receive(on: RunLoop.main)
      .eraseToAnyPublisher()
  }

  /// Fetches the movies immediately. No subscriber can cancel it.
  func fetchMovies(from endpoint: Endpoint) -> Future<[Movie], MovieStoreAPIError> {
    Future { [unowned self] promise in
      publisher(for: endpoint)
        .sink(
          receiveCompletion: { completion in
            if case .failure(let error) = completion { promise(.failure(error)) }
          },
          receiveValue: { promise(.success($0)) }
        )
        .store(in: &subscriptions)
    }
  }

  /// Publishes the movies on the main run loop. Unsubscribing cancels the request.
  func publisher(for endpoint: Endpoint) -> AnyPublisher<[Movie], MovieStoreAPIError> {
    client.dataTaskPublisher(for: url(of: endpoint))
      .tryMap { try $0.successfulBody }
      .decode(type: MoviesResponse.self, decoder: decoder)
      .map { $0.results }
      .mapError { MovieStoreAPIError($0) }
      .receive(on: RunLoop.main)
      .eraseToAnyPublisher()
  }

  private func url(of endpoint: Endpoint) -> String { "\(baseAPIURL)/movie/\(endpoint.rawValue)" }
}
