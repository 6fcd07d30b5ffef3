import MockHTTP
import RemoteLoading
import Staging
import Synchronization
import Testing

/// The Swift examples of docs/http.md.
@Suite struct GuideTests {
  private struct Post: Decodable, Sendable {
    let id: Int
  }

  @Test func `content that loads itself shows its progress on a stage`() throws {
    let seen = Mutex("")
    let stage = Stage()
    let server = MockServer()
    server.add(.get("/posts", .json(#"[{"id": 12}]"#).dripping(4, over: .seconds(2))))

    try stage.run { @MainActor in
      let transport = MockTransport(server: server, clock: stage.clock)
      let posts = try? DecodableRemoteContent(
        RemoteClient(transport),
        url: "https://example.com/posts",
        type: [Post].self
      )
      posts?.load()
      try? await Task.sleep(for: .seconds(1.2))
      seen.withLock { $0 = "\(posts?.loadingState ?? .initial)" }
    }

    #expect(seen.withLock { $0 } == "inProgress(0.5)")
  }
}
