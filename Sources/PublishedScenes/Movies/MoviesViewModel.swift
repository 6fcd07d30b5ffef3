import FoundationPipelines
import Scenes

/// The view model of CombineFetchAPI, with its three pipelines, and a fourth one that continues
/// after an error.
final class MoviesViewModel: ObservableObject {
  private var cancellableSet: Set<AnyCancellable> = []
  private let movieAPI: TMDbStore
  // Input
  @Published var endpoint = Endpoint.upcoming
  // Output
  @Published private(set) var movies: [Movie] = []
  @Published private(set) var moviesError: MovieStoreAPIError?

  enum Pipeline: String, CaseIterable {
    case light, replacing, dying, lasting
  }

  init(_ movieAPI: TMDbStore, _ pipeline: Pipeline) {
    self.movieAPI = movieAPI
    switch pipeline {
    case .light:
      $endpoint
        .flatMap { movieAPI.fetchMoviesLight(from: $0) }
        .sink { [unowned self] in movies = $0 }
        .store(in: &cancellableSet)
    case .replacing:
      $endpoint
        .flatMap { movieAPI.fetchMovies(from: $0).replaceError(with: []) }
        .sink { [unowned self] in movies = $0 }
        .store(in: &cancellableSet)
    case .dying:
      $endpoint
        .setFailureType(to: MovieStoreAPIError.self)
        .flatMap { movieAPI.fetchMovies(from: $0) }
        .sink(
          receiveCompletion: { [unowned self] completion in
            if case .failure(let error) = completion { moviesError = error }
          },
          receiveValue: { [unowned self] in movies = $0 }
        )
        .store(in: &cancellableSet)
    case .lasting:
      $endpoint
        .map { endpoint in
          movieAPI.publisher(for: endpoint)
            .map { .success($0) }
            .catch { Just(Result<[Movie], MovieStoreAPIError>.failure($0)) }
        }
        .switchToLatest()
        .sink { [unowned self] in show($0) }
        .store(in: &cancellableSet)
    }
  }

  private func show(_ result: Result<[Movie], MovieStoreAPIError>) {
    switch result {
    case .success(let movies):
      self.movies = movies
      moviesError = nil
    case .failure(let error): moviesError = error
    }
  }
}
