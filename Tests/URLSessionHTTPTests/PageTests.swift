#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import MockHTTP
import Staging
import Testing
import URLSessionHTTP

/// The code of docs/http.md for a `URLSession`.
@Suite struct PageTests {
  private struct PostClient {
    let session: URLSession

    func posts() async throws -> String {
      guard let url = URL(string: "https://example.com/posts") else { throw URLError(.badURL) }
      let (data, response) = try await session.data(from: url)
      if (response as? HTTPURLResponse)?.statusCode != 200 { throw URLError(.badServerResponse) }
      return String(decoding: data, as: UTF8.self)
    }
  }

  @Test func `a second request succeeds`() throws {
    let stage = Stage()
    let server = MockServer()
    server.add(.get("/posts", 503, .json("[1]").after(.seconds(2))))
    let client = PostClient(session: .rehearsing(server, on: stage))
    let posts = try stage.run {
      _ = try? await client.posts()  // 503
      return try await client.posts()  // 2 seconds later on the stage
    }
    #expect(posts == "[1]")
  }
}
#endif
