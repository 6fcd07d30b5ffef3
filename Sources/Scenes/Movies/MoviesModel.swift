import Observation
import Pipelines

/// The movies of the selected endpoint, as a view model with one of four pipelines. Selecting one fetches it.
@MainActor @Observable final class MoviesModel {
  @ObservationIgnored @Published var endpoint = Endpoint.upcoming
  private(set) var movies: [Movie] = []
  private(set) var error: MovieStoreAPIError?

  enum Pipeline: String, CaseIterable {
    /// Ignores the status, and turns every error into an empty list.
    case light
    /// Replaces every error by an empty list.
    case replacing
    /// Reports errors, but the first one ends the pipeline, and the error is never cleared.
    case dying
    /// Reports errors and continues. The latest selection is shown, even if its answer comes last.
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
  /// Returns the publisher with a failure as its last value.
  func asResult() -> some Publisher<Result<Output, Failure>, Never> {
    map { .success($0) }.catch { Just(.failure($0)) }
  }
}
