import Loading
import RemoteLoading

/// The movies of the selected endpoint, loaded by a `LoadDriver`. Selecting one loads it.
@MainActor final class MovieList: RemoteContent {
  typealias State = RemoteContentLoadingState<[Movie], Double?>

  let changes = RemoteContentChanges<[Movie], Double?>()
  private(set) var loadingState = State.initial {
    didSet { changes.send(loadingState) }
  }
  var store: MovieStore
  var endpoint = Endpoint.upcoming {
    didSet { load() }
  }
  var loadCount: Int { driver.attemptCount }
  private lazy var driver = LoadDriver<State>(
    reading: { [weak self] in self?.loadingState },
    writing: { [weak self] in self?.loadingState = $0 }
  )

  init(_ store: MovieStore) {
    self.store = store
  }

  func load() {
    driver.start(nil) { [store, endpoint] _ in try await store.fetchMovies(from: endpoint) }
  }

  func cancel() { driver.cancel() }
}
