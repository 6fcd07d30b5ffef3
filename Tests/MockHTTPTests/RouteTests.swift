import MockHTTP
import RemoteLoading
import Testing

@Suite struct RouteTests {
  @Test func `a route repeats its last answer by default`() {
    let server = MockServer(.get("/posts", 503, 500, 200))
    let statuses = (0..<5).map { _ in server.status("GET /posts") }
    #expect(statuses == [503, 500, 200, 200, 200])
  }

  @Test func `a cycle repeats`() {
    let server = MockServer(.get("/posts", 503, 200, then: .cycle))
    let statuses = (0..<5).map { _ in server.status("GET /posts") }
    #expect(statuses == [503, 200, 503, 200, 503])
  }

  @Test func `a passing route gives way to the next when it is used up`() {
    let server = MockServer(.get("/posts", 200), .get("/posts", 503, 500, then: .pass))
    let statuses = (0..<4).map { _ in server.status("GET /posts") }
    #expect(statuses == [503, 500, 200, 200])
  }

  @Test func `a failing route is named when it is used up`() {
    let server = MockServer(.get("/posts", 204), .get("/posts", 200, 201, then: .fail))
    #expect((0..<2).map { _ in server.status("GET /posts") } == [200, 201])
    #expect(
      server.receive("GET /posts").error
        == .unmatched(request: "GET /posts", nearest: "GET /posts (its 2 answers are used up)")
    )
  }

  @Test func `a number is never reused`() {
    let server = MockServer(.get("/a", 200), .get("/b", 200))
    #expect(server.remove(2))
    #expect(!server.remove(2))
    #expect(server.add(.get("/b", 200)) == 3)
    #expect(server.routes.map(\.number) == [1, 3])
  }

  @Test func `a removed route does not answer`() {
    let server = MockServer(.get("/a", 200), .get("/a", 500))
    #expect(server.status("GET /a") == 500)
    server.remove(2)
    #expect(server.status("GET /a") == 200)
  }

  @Test func `routes count their answers`() {
    let server = MockServer(.get("/a", 200), .get("/b", 500, then: .fail))
    for line in ["GET /a", "GET /a", "GET /b", "GET /b"] { server.receive(line) }
    #expect(server.routes.map(\.useCount) == [2, 1])
  }
}
