import RemoteLoading

/// The same source without the two bugs: the end of a load clears the task, `cancel` cancels it,
/// and only the current task may deliver.
@MainActor final class TaskHeadline: RemoteContent {
  let changes = RemoteContentChanges<String, Double?>()
  private(set) var loadingState = RemoteContentLoadingState<String, Double?>.initial {
    didSet { changes.send(loadingState) }
  }
  private let client: RemoteClient
  private let request: RemoteRequest
  private var task: Task<Void, Never>?

  init(_ client: RemoteClient, url: String) throws {
    self.client = client
    request = try RemoteRequest(url: url)
  }

  func load() {
    guard task == nil else { return }
    loadingState = .inProgress(nil)
    task = Task {
      let result = await fetched()
      // Cancelling also clears the task, so a cancelled task is not the current one.
      guard !Task.isCancelled else { return }
      task = nil
      loadingState = result
    }
  }

  func cancel() {
    guard let task else { return }
    task.cancel()
    self.task = nil
    loadingState = .initial
  }

  private func fetched() async -> RemoteContentLoadingState<String, Double?> {
    do {
      let response = try await client.fetch(request)
      return .success(String(decoding: response.body, as: UTF8.self))
    } catch {
      return .failure(error)
    }
  }
}
