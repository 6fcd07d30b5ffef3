import Observation

/// The search screen of release 1.0.
@MainActor @Observable package final class HastySearchModel {
  package var text = "" {
    didSet { textChanged() }
  }
  package private(set) var books: [Book] = []
  package private(set) var isSearching = false
  package private(set) var message: String?

  private let client: BookClient
  private var pause: Task<Void, any Error>?

  package init(client: BookClient) {
    self.client = client
  }

  private func textChanged() {
    pause?.cancel()
    pause = Task {
      try await Task.sleep(for: .milliseconds(300))
      search()
    }
  }

  package func search() {
    let text = text
    Task {
      isSearching = true
      message = nil
      do {
        books = try await client.books(matching: text)
      } catch {
        message = "The search failed."
      }
      isSearching = false
    }
  }
}
