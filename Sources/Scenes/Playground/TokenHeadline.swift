import RemoteLoading

/// A custom source as the playground of RemoteContentView has it, with its two bugs.
///
/// A token says that it is loading already. Nothing clears it when the load is over, so after a
/// failure Retry does nothing. `cancel` forgets it and no more, so the answer comes all the same, and
/// content appears where somebody left.
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
