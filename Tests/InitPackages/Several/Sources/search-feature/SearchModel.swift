import Catalogue
import Foundation
import Observation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

enum Order: String, CaseIterable, Sendable {
  case title, year
}

struct SearchClient: Sendable {
  var session: URLSession = .shared
  let path: String

  func books(_ text: String) async throws -> [Book] {
    // A text with brackets, which the search of 'init' must skip: } " {
    let url = URL(string: "https://example.com/\(path)?q=\(text.isEmpty ? "}" : text)")
    guard let url else { return [] }
    let (data, _) = try await session.data(from: url)
    return try JSONDecoder().decode([Book].self, from: data)
  }
}

protocol HistoryStore: Sendable {
  func add(_ text: String)
}

struct DiskHistory: HistoryStore {
  let folder: URL

  func add(_ text: String) {}
}

struct MemoryHistory: HistoryStore {
  func add(_ text: String) {}
}

/// class HiddenModel: ObservableObject {} is only a comment.
@MainActor @Observable
final class SearchModel {
  var text = "" { didSet { if text.isEmpty { books = [] } } }
  private(set) var books: [Book] = []
  private(set) var order = Order.title
  var isEmpty: Bool { books.isEmpty }
  @ObservationIgnored private var current: Task<Void, Never>?
  private let client: SearchClient
  private let history: any HistoryStore
  private let log: @Sendable (String) -> Void

  init(client: SearchClient, history: any HistoryStore, log: @escaping @Sendable (String) -> Void) {
    self.client = client
    self.history = history
    self.log = log
  }

  func search(_ text: String, limit: Int, by order: Order = .title) async throws -> Int {
    history.add(text)
    books = try await Array(client.books(text).prefix(limit))
    self.order = order
    return books.count
  }

  func load() {
    current?.cancel()
    current = Task {
      try? await Task.sleep(for: .milliseconds(100))
      log(text)
    }
  }

  func rate(_ stars: Double, of title: String) { log("\(title) \(stars)") }

  func choose(_ book: Book, completion: @escaping (Bool) -> Void) { completion(true) }
}

extension SearchModel {
  func clear() { text = "" }
}

/// A second model, which needs a value that 'init' cannot make.
@MainActor @Observable final class DetailModel {
  private(set) var title: String

  init(book: Book) { title = book.title }
}

@Observable final class SettingsModel {
  var isDark = false
  var fontSize = 12.0

  func reset() async { fontSize = 12 }
}
