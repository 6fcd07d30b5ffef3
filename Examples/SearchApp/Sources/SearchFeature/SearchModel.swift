import Observation

/// The search screen.
@MainActor @Observable package final class SearchModel {
  package var text = "" {
    didSet { textChanged() }
  }
  package private(set) var books: [Book] = []
  package private(set) var isSearching = false
  package private(set) var message: String?

  private let client: BookClient
  private var current: Task<Void, any Error>?

  package init(client: BookClient) {
    self.client = client
  }

  /// Searches after typing has paused. Only the latest search counts.
  private func textChanged() {
    current?.cancel()
    current = Task {
      try await Task.sleep(for: .milliseconds(300))
      await search()
    }
  }

  package func retry() async {
    current?.cancel()
    let attempt = Task<Void, any Error> { await search() }
    current = attempt
    _ = await attempt.result
  }

  private func search() async {
    isSearching = true
    message = nil
    do {
      let found = try await client.books(matching: text)
      // A newer search has cancelled this one, and shows its own result.
      if Task.isCancelled { return }
      books = found
    } catch {
      if Task.isCancelled { return }
      message = "The search failed."
    }
    isSearching = false
  }
}
