import HTTPTypes
import MockHTTP
import RemoteLoading
import Staging
import Testing

@Suite struct RequestLogTests {
  @Test func `an entry has times, answer and fate`() throws {
    let run = TransportRun(
      .get("/a", .text("abcd").dripping(2, over: .seconds(2)).after(.seconds(1)))
    )
    run.stage.advance(by: .seconds(5))
    _ = run.play("GET /a?x=1")
    let entry = try #require(run.server.log.entries.first)
    #expect(entry.id == 1)
    #expect(entry.method == .get)
    #expect(entry.path == "/a?x=1")
    #expect(entry.route == 1)
    #expect([entry.received, entry.begun, entry.ended] == [.seconds(5), .seconds(6), .seconds(8)])
    #expect(entry.status == 200)
    #expect(entry.bytesSent == 4)
    #expect(entry.fate == .answered)
  }

  @Test func `a cancelled entry has the number of bytes sent`() throws {
    let run = TransportRun(.get("/a", .text("abcd").dripping(4, over: .seconds(4))))
    _ = run.play("GET /a", cancellingAfter: .milliseconds(2_500))
    let entry = try #require(run.server.log.entries.first)
    #expect(entry.bytesSent == 2)
    #expect(entry.ended == .milliseconds(2_500))
  }

  @Test func `only the first report of an end counts`() {
    let server = MockServer(.get("/a", 200))
    let id = server.receive("GET /a").id
    server.finish(id, .cancelled, bytesSent: 0, at: .seconds(1))
    server.finish(id, .answered, bytesSent: 9, at: .seconds(2))
    #expect(server.log.entries.map(\.fate) == [.cancelled])
    #expect(server.log.entries.map(\.ended) == [.seconds(1)])
  }

  @Test func `the latest entries are kept, and the others counted`() {
    let server = MockServer(logLimit: 3)
    server.add(.get("/{n}", 200))
    for number in 1...8 { server.receive("GET /\(number)") }
    let log = server.log
    #expect(log.entries.map(\.path) == ["/6", "/7", "/8"])
    #expect(log.entries.map(\.id) == [6, 7, 8])
    #expect(log.cutCount == 5)
    #expect(log.totalCount == 8)
    #expect(server.routes.map(\.useCount) == [8])
  }

  @Test func `the end of a discarded request changes no other entry`() {
    let server = MockServer(logLimit: 2)
    server.add(.get("/a", 200))
    for _ in 0..<3 { server.receive("GET /a") }
    server.finish(1, .answered, bytesSent: 0, at: .zero)
    server.finish(0, .answered, bytesSent: 0, at: .zero)
    server.finish(9, .answered, bytesSent: 0, at: .zero)
    #expect(server.log.entries.map(\.fate) == [.inFlight, .inFlight])
  }

  @Test func `requests are found by a pattern`() {
    let server = MockServer(.on(nil, "/{any...}", 200))
    for line in ["GET /posts?page=1", "GET /posts?page=2", "POST /posts", "GET /users"] {
      server.receive(line)
    }
    let request = RemoteRequest.asking(
      "POST /posts",
      headers: [.accept: "a/b"],
      body: #"{"t": 1, "u": 2}"#
    )
    _ = server.receive(request, at: .zero)
    func count(_ route: Route) -> Int { server.log.entries(matching: route.pattern).count }
    #expect(count(.get("/posts", 200)) == 2)
    #expect(count(.get("/posts", 200).query("page", "2")) == 1)
    #expect(count(.on(nil, "/posts", 200)) == 4)
    #expect(count(.post("/posts", 200).header("Accept", "a/b")) == 1)
    #expect(count(.post("/posts", 200).body(.json(#"{"t": 1}"#))) == 1)
    #expect(count(.get("/none", 200)) == 0)
  }

  @Test func `long paths, header fields and bodies are not kept`() throws {
    let server = MockServer(.on(nil, "/{any...}", 200))
    let long = String(repeating: "x", count: 100_000)
    let request = RemoteRequest.asking("POST /\(long)", headers: [.userAgent: long], body: long)
    _ = server.receive(request, at: .zero)
    let entry = try #require(server.log.entries.first)
    #expect(entry.path.utf8.count == 4_099)
    #expect(entry.head.headerFields.isEmpty)
    #expect(entry.body == nil)
  }

  @Test func `unmatched requests are logged as such at once`() {
    let server = MockServer(.get("/a", 200, then: .fail))
    for line in ["GET /b", "GET /a", "GET /a"] { server.receive(line) }
    #expect(server.log.entries.map(\.fate) == [.unmatched, .inFlight, .unmatched])
    #expect(server.log.entries.map(\.route) == [nil, 1, 1])
  }

  @Test func `requests from many threads are all counted`() async {
    let server = MockServer(.get("/a", 200, 500, then: .cycle))
    let ids = await withTaskGroup(of: [Int].self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<500).map { _ in
            let id = server.receive("GET /a").id
            server.finish(id, .answered, bytesSent: 0, at: .zero)
            return id
          }
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(ids.sorted() == Array(1...4_000))
    #expect(server.log.entries.count { $0.status == 500 } == 2_000)
  }
}
