import FoundationPipelines
import RemoteLoading
import Scenes

/// The list of CombineFetchAPI's UIKit app: it fetches a list, and shows it or its error.
@MainActor final class MovieListController: RemoteContent {
  let changes = RemoteContentChanges<[Movie], Double?>()
  private(set) var loadingState = RemoteContentLoadingState<[Movie], Double?>.initial {
    didSet { changes.send(loadingState) }
  }
  let movieAPI: TMDbStore
  var endpoint = Endpoint.upcoming {
    didSet { load() }
  }
  private(set) var loadCount = 0
  private var settled = RemoteContentLoadingState<[Movie], Double?>.initial
  private var subscription: AnyCancellable?

  init(_ movieAPI: TMDbStore) {
    self.movieAPI = movieAPI
  }

  func load() {
    loadCount += 1
    loadingState = .inProgress(nil)
    subscription = movieAPI.fetchMovies(from: endpoint)
      .sink(
        receiveCompletion: { [unowned self] completion in
          if case .failure(let error) = completion { settle(.failure(error)) }
        },
        receiveValue: { [unowned self] in settle(.success($0)) }
      )
  }

  func cancel() {
    guard loadingState.isInProgress else { return }
    subscription = nil
    loadingState = settled
  }

  private func settle(_ state: RemoteContentLoadingState<[Movie], Double?>) {
    settled = state
    loadingState = state
  }
}
