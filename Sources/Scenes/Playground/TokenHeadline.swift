import RemoteLoading

/// The custom source of RemoteContentView's playground, with its two bugs.
///
/// A token means "already loading". The end of the load does not clear it, so after a failure Retry
/// has no effect. `cancel` only clears the token, so the answer still arrives, and content appears
/// on a screen that was left.
@MainActor final class TokenHeadline: RemoteContent {
  let changes = RemoteContentChanges<String, Double?>()
  private(set) var loadingState = RemoteContentLoadingState<String, Double?>.initial {
    didSet { changes.send(loadingState) }
  }
  private let client: RemoteClient
  private let request: RemoteRequest
  private var token: Task<Void, Never>?

  init(_ client: RemoteClient, url: String) throws {
    self.client = client
    request = try RemoteRequest(url: url)
  }

  func load() {
    guard token == nil else { return }
    loadingState = .inProgress(nil)
    token = Task {
      do {
        let response = try await client.fetch(request)
        loadingState = .success(String(decoding: response.body, as: UTF8.self))
      } catch {
        loadingState = .failure(error)
      }
    }
  }

  func cancel() {
    token = nil
    loadingState = .initial
  }
}
