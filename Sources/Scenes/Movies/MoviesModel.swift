import Observation
import Pipelines

/// The movies of the endpoint that is chosen. Choosing one fetches it, by one of four pipelines.
@MainActor @Observable final class MoviesModel {
  @ObservationIgnored @Published var endpoint = Endpoint.upcoming
  private(set) var movies: [Movie] = []
  private(set) var error: MovieStoreAPIError?

  enum Pipeline: String, CaseIterable {
    /// Takes what answers there are, and any error for an empty list.
    case light
    /// Puts an empty list in the place of every error.
    case replacing
    /// Tells errors, but the first one ends it, and nothing clears that error.
    case dying
    /// Tells errors and goes on; what was chosen last is shown, however late.
    case lasting
  }

  private var subscription: AnyCancellable?

  init(_ store: MovieStore, _ pipeline: Pipeline) {
    switch pipeline {
    case .light: show($endpoint.flatMap { store.moviesLight(from: $0) })
    case .replacing:
      show($endpoint.flatMap { store.moviesFuture(from: $0).replaceError(with: []) })
    case .dying:
      subscription =
        $endpoint
        .setFailureType(to: MovieStoreAPIError.self)
        .flatMap { store.moviesFuture(from: $0) }
        .sink(
          receiveCompletion: { [weak self] in self?.end($0) },
          receiveValue: { [weak self] in self?.movies = $0 }
        )
    case .lasting:
      subscription =
        $endpoint
        .map { store.moviesPublisher(from: $0).asResult() }
        .switchToLatest()
        .sink { [weak self] in self?.show($0) }
    }
  }

  private func show(_ movies: some Publisher<[Movie], Never>) {
    subscription = movies.sink { [weak self] in self?.movies = $0 }
  }

  private func end(_ completion: Subscribers.Completion<MovieStoreAPIError>) {
    if case .failure(let error) = completion { self.error = error }
  }

  private func show(_ result: Result<[Movie], MovieStoreAPIError>) {
    switch result {
    case .success(let movies):
      self.movies = movies
      error = nil
    case .failure(let error): self.error = error
    }
  }
}

extension Publisher {
  /// The same, with a failure as its last value.
  func asResult() -> some Publisher<Result<Output, Failure>, Never> {
    map { .success($0) }.catch { Just(.failure($0)) }
  }
}
