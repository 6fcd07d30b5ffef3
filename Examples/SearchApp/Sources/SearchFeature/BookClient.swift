import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client for the web service of the catalogue.
package struct BookClient: Sendable {
  private static let root = "https://books.example.com"
  private let session: URLSession

  package init(session: URLSession = .shared) {
    self.session = session
  }

  /// Returns the books whose titles contain `text`.
  func books(matching text: String) async throws -> [Book] {
    var components = URLComponents(string: Self.root + "/search")
    components?.queryItems = [URLQueryItem(name: "title", value: text)]
    guard let url = components?.url else { throw URLError(.badURL) }
    let (data, response) = try await session.data(from: url)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else {
      throw URLError(.badServerResponse)
    }
    return try JSONDecoder().decode([Book].self, from: data)
  }
}
