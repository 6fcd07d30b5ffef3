import Foundation
import FoundationPipelines
import RemoteLoading

/// The content of RemoteContentView, in both versions.
///
/// Unlike the original, it has a progress, and a status outside 200–299 is an error.
@MainActor final class PublishedRemoteContent<Value>: RemoteContent {
  typealias State = RemoteContentLoadingState<Value, Double?>

  /// A version of the code.
  enum Version {
    /// As in the repository: a load during another one is ignored, and only a load is cancelled.
    case repository
    /// As in the article about it: a load replaces another one, and cancelling removes content.
    case article
  }

  let changes = RemoteContentChanges<Value, Double?>()
  @Published private(set) var loadingState = State.initial {
    didSet { changes.send(loadingState) }
  }
  private(set) var loadCount = 0
  private let client: RemoteClient
  private let url: String
  private let version: Version
  private let read: ([UInt8]) throws -> Value
  private var cancellable: AnyCancellable?

  init(
    _ client: RemoteClient,
    url: String,
    version: Version,
    reading read: @escaping ([UInt8]) throws -> Value
  ) {
    (self.client, self.url, self.version, self.read) = (client, url, version, read)
  }

  func load() {
    if version == .repository {
      guard !loadingState.isInProgress else { return }
    }
    loadCount += 1
    loadingState = .inProgress(nil)
    cancellable =
      client
      .dataTaskEvents(for: url)
      .tryMap { [read] event -> State in
        switch event {
        case .progress(let fraction): .inProgress(fraction)
        case .response(let response): .success(try read(response.successfulBody))
        }
      }
      .catch { Just(.failure($0)) }
      .receive(on: RunLoop.main)
      .sink { [unowned self] in loadingState = $0 }
  }

  func cancel() {
    if version == .repository {
      guard loadingState.isInProgress else { return }
    }
    loadingState = .initial
    cancellable?.cancel()
    cancellable = nil
  }
}
