import HTTPTypes
import MockHTTP
import Testing

/// The order of precedence that `Route` documents, rule by rule.
@Suite struct PrecedenceTests {
  /// Tries each pair in both orders, so that the order of adding decides nothing.
  private func winner(_ first: Route, _ second: Route, _ line: String, scope: String? = nil)
    -> [Int?]
  {
    [MockServer(first, second), MockServer(second, first)].map { $0.status(line, scope: scope) }
  }

  @Test func `a route for the scope beats a more specific one without a scope`() {
    let statuses = winner(
      .get("/{any}", 201).scope("feed"),
      .get("/posts", 500).query("page", "2"),
      "GET /posts?page=2",
      scope: "feed"
    )
    #expect(statuses == [201, 201])
  }

  @Test func `a route for another scope is ignored`() {
    #expect(
      winner(.get("/posts", 500).scope("feed"), .get("/{any}", 201), "GET /posts") == [201, 201]
    )
  }

  @Test(
    arguments: [
      ("/users/me", "/users/{id}"), ("/users/{id}", "/users/{rest...}"),
      ("/users", "/users/{rest...}"),
      ("/{a}", "/{rest...}"), ("/users/{a}/posts", "/{b}/me/posts"), ("/users/{a...}", "/{b}/me"),
    ] as [(PathTemplate, PathTemplate)]
  )
  func `the more specific path wins`(specific: PathTemplate, general: PathTemplate) {
    for line in ["GET /users/me", "GET /users", "GET /users/me/posts"] {
      guard MockServer(.get(specific, 200)).status(line) != nil,
        MockServer(.get(general, 200)).status(line) != nil
      else { continue }
      #expect(winner(.get(specific, 201), .get(general, 500), line) == [201, 201])
    }
  }

  @Test func `a general path answers if the specific one's conditions fail`() {
    let server = MockServer(.get("/users/me", 200).query("v", "2"), .get("/users/{id}", 404))
    #expect(server.status("GET /users/me?v=2") == 200)
    #expect(server.status("GET /users/me?v=1") == 404)
  }

  @Test func `a route for the host beats one for a method with conditions`() {
    let specific = Route.on(nil, "/a", 201).host("example.org")
    let general = Route.get("/a", 500).query("x", nil)
    for server in [MockServer(specific, general), MockServer(general, specific)] {
      #expect(server.status(of: .asking("GET /a?x=1", host: "example.org")) == 201)
      #expect(server.status(of: .asking("GET /a?x=1", host: "example.com")) == 500)
    }
  }

  @Test func `a route for the method beats one for any method with conditions`() {
    let statuses = winner(.get("/a", 201), .on(nil, "/a", 500).query("x", nil), "GET /a?x=1")
    #expect(statuses == [201, 201])
  }

  @Test func `the route with more conditions wins`() {
    let statuses = winner(
      .get("/a", 201).query("x", "1").query("y", nil),
      .get("/a", 500).query("x", "1"),
      "GET /a?y=2&x=1"
    )
    #expect(statuses == [201, 201])
  }

  @Test func `the later of two equal routes wins`() {
    #expect(winner(.get("/{a}", 201), .get("/{b}", 500), "GET /x") == [500, 201])
  }

  @Test func `a HEAD request prefers a route for HEAD to those for GET and for any method`() {
    let server = MockServer(
      .on(.head, "/a", 201),
      .get("/a", 500).query("x", nil),
      .on(nil, "/a", 501)
    )
    #expect(server.status("HEAD /a?x=1") == 201)
    #expect(server.status("GET /a?x=1") == 500)
    #expect(server.status("PUT /a?x=1") == 501)
  }

  @Test func `a HEAD request falls back to GET, without the body`() throws {
    let server = MockServer(.get("/a", .text("hello")))
    let delivery = try #require(server.receive("HEAD /a").delivery)
    #expect(delivery.body.isEmpty)
    #expect(delivery.head.headerFields[.contentLength] == "5")
    #expect(server.status("POST /a") == nil)
  }
}
