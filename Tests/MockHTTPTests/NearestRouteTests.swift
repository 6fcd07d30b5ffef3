import HTTPTypes
import MockHTTP
import RemoteLoading
import Testing

@Suite struct NearestRouteTests {
  private let server = MockServer(
    .get("/posts", 200),
    .get("/posts/{id}", 200),
    .post("/posts", 201).header("Authorization", nil).body(.contains("title")),
    .get("/search", 200).query("q", nil).query("page", "2"),
    .get("/feed", 200).scope("home"),
    .get("/hosted", 200).host("api.example.org"),
    .get("/once", 200, then: .pass)
  )

  @Test(arguments: [
    ("GET /pots", "GET /posts (path differs)"),
    ("GET /posts/", "GET /posts (path differs in its trailing slash)"),
    ("PUT /posts", "GET /posts (method differs)"),
    ("PUT /post", "GET /posts (method and path differ)"),
    ("POST /posts", "POST /posts (header 'Authorization' and body differ)"),
    ("GET /search?q=x", "GET /search?q&page=2 (query 'page' differs)"),
    ("GET /search", "GET /search?q&page=2 (query 'q' and query 'page' differ)"),
    ("GET /feed", "GET /feed (only for 'home')"),
    ("GET /hosted", "GET http://api.example.org/hosted (host differs)"),
    ("GET /posts/7/comments", "GET /posts/{id} (path differs)"),
  ])
  func `the nearest route is named with its differences`(line: String, nearest: String) {
    #expect(server.receive(line).error == .unmatched(request: line, nearest: nearest))
  }

  @Test(arguments: [
    "OPTIONS *", "GET /%1b", "GET /", "GET /users", "GET /favicon.ico", "GET /x/y/z",
  ])
  func `an unrelated route is not near`(line: String) {
    #expect(server.receive(line).error == .unmatched(request: line, nearest: nil))
  }

  @Test func `a used-up route is the nearest`() {
    server.receive("GET /once")
    #expect(
      server.receive("GET /once?x=1").error
        == .unmatched(request: "GET /once?x=1", nearest: "GET /once (its answer is used up)")
    )
  }

  @Test func `without routes there is no nearest one`() {
    #expect(MockServer().receive("GET /a").error == .unmatched(request: "GET /a", nearest: nil))
  }
}
