import HTTPTypes
import MockHTTP
import RehearsalBase
import Testing

@testable import Script

@Suite struct RouteTests {
  @Test(arguments: [
    (
      "GET /posts 503, 503, 200 json [{\"id\": 1, \"title\": \"Hello\"}] after 300ms",
      "GET /posts 503, 503, 200 json [{\"id\": 1, \"title\": \"Hello\"}] after 300ms"
    ),
    (
      "GET /users/{id} 200 json {\"id\": \"{id}\"} after 100ms to 400ms",
      "GET /users/{id} 200 json {\"id\": \"{id}\"} after 100ms to 400ms"
    ),
    (
      "GET /feed 200 file feed.json dripping 20 chunks over 2s",
      "GET /feed 200 file feed.json dripping 20 chunks over 2s"
    ),
    ("POST /login reset", "POST /login reset"),
    ("/x 503, 200 json [] or reset, 404", "GET /x 503, 200 json [] or reset, 404"),
    (
      "/x 200 json [] or 503 after 0s, 404 or 200 text \"a\" dripping 2 chunks over 1s after 1s",
      "GET /x 200 json [] or 503 after 0s, 404 or 200 text \"a\" dripping 2 chunks over 1s after 1s"
    ),
    ("/posts 200 {\"a\":1}", "GET /posts 200 json {\"a\": 1}"),
    ("any /a%20b/{rest...} 404", "any /a%20b/{rest...} 404"),
    ("/%61/%E9%9B%AA 200", "GET /a/雪 200"),
    ("\"PURGE\" /cache 204", "\"PURGE\" /cache 204"),
    ("HTTPS://Example.com:443/a?b=c+d&e 200", "GET https://example.com/a?b=c%20d&e 200"),
    ("http://localhost:8080 200", "GET http://localhost:8080/ 200"),
    ("/big 200 bytes 10MB", "GET /big 200 bytes 10 MB"),
    ("/big 200 bytes 1.5 kB cut after 1 KiB", "GET /big 200 bytes 1500 cut after 1024 bytes"),
    ("/x 200 chunked text \"a\" gzip", "GET /x 200 gzip text \"a\" chunked"),
    ("/x 200 html \"<p>\" type \"text/html\"", "GET /x 200 text \"<p>\" type \"text/html\""),
    ("/x 200 html \"<p>\"", "GET /x 200 html \"<p>\""),
    ("/x 301 to /y, 302 to \"/a b\", 200", "GET /x 301 to /y, 302 to \"/a b\", 200"),
    ("/x 302 after 1s to /y", "GET /x 302 to /y after 1s"),
    ("/x 302 after 1s to 2s to /y", "GET /x 302 to /y after 1s to 2s"),
    ("/x 200 base64 \"AAEC/w==\"", "GET /x 200 base64 \"AAEC/w==\""),
    (
      "/x 200 with Cache-Control \"no-store\" with \"json\" \"1\"",
      "GET /x 200 with Cache-Control \"no-store\" with \"json\" \"1\""
    ),
    (
      "/x 200 then cycle header Authorization {token} header Accept body containing \"q\" for posts",
      "GET /x 200 header Authorization {token} header Accept body containing \"q\" then cycle for posts"
    ),
    ("/x 200 then pass after 1s", "GET /x 200 after 1s then pass"),
    ("/x 200 body json {\"n\": 1.50}", "GET /x 200 body json {\"n\": 1.50}"),
    ("/x never, refused, tls after 5ms", "GET /x never, refused, tls after 5ms"),
    (
      "/x 200 after lognormal 200ms sigma 0.5, 500 after 0s",
      "GET /x 200 after lognormal 200ms sigma 0.5, 500"
    ),
    ("/x 503 after 0s, 200 after 1s", "GET /x 503 after 0s, 200 after 1s"),
    ("/x 200 silent after 0 bytes bytes 1", "GET /x 200 bytes 1 silent after 0 bytes"),
  ])
  func `a route prints as it is written, in one order`(text: String, printed: String) throws {
    #expect(try route(text).route.commandText == "route " + printed)
  }

  @Test func `the delay of the last answer applies to all answers without one`() throws {
    let answers = try route("/x 503, 500 after 0s, never, 200 after 1s").route.answers
    #expect(answers.map(\.delay) == [1, 0, 1, 1].map { .fixed(.seconds($0)) })
  }

  @Test func `only answers with a body drip like the last one`() throws {
    let drip = ScriptedAnswer.Pace.drip(pieces: 2, over: .seconds(1))
    let text =
      "/x 503, reset, 200 text \"a\", 200 text \"b\" at once, 200 text \"c\" dripping 2 chunks over 1s"
    #expect(try route(text).route.answers.map(\.pace) == [.atOnce, .atOnce, drip, .atOnce, drip])
  }

  @Test func `a target is split into host, path and query with its escapes resolved`() throws {
    let pattern = try route("http://h:81/a%2Fb/{id}?q=%C3%A9+x&p={page}&flag&any={any} 200").route
      .pattern
    #expect(pattern.method == .get)
    #expect(pattern.host == "h:81")
    #expect(pattern.path.segments == [.literal("a/b"), .capture("id")])
    #expect(
      pattern.query == [
        .init(name: "q", value: .text("é x")), .init(name: "p", value: .capture("page")),
        .init(name: "flag", value: .any), .init(name: "any", value: .any),
      ]
    )
  }

  @Test func `slashes make empty segments, except the one that begins the path`() throws {
    #expect(try route("/ 200").route.pattern.path.segments == [])
    #expect(try route("/a/ 200").route.pattern.path.segments == [.literal("a"), .literal("")])
    #expect(try route("//a 200").route.pattern.path.segments == [.literal(""), .literal("a")])
  }

  @Test func `a number in JSON keeps its spelling`() throws {
    let answer = try route("/x 200 json [1.50, 1E2, -0, 12345678901234567890]").route.answers[0]
    guard case .response(let response) = answer.outcome else {
      throw Diagnostic(.unexpected(""), at: 0..<0)
    }
    #expect(response.body.content == .json("[1.50, 1E2, -0, 12345678901234567890]"))
  }

  @Test func `a file is named with its place, and its bytes come later`() throws {
    var written = try route("/x 503, 200 file feed.json, 200 file \"a b\" cut after 3 bytes")
    #expect(
      written.files.map(\.name) == [Located("feed.json", at: 17..<26), Located("a b", at: 37..<42)]
    )
    try written.fill(written.files[0], with: [1])
    guard case .response(let response) = written.route.answers[1].outcome else { return }
    #expect(response.body.content == .file(name: "feed.json", bytes: [1]))
    #expect(throws: Diagnostic.self) { try written.fill(written.files[1], with: [1, 2, 3]) }
    try written.fill(written.files[1], with: [1, 2, 3, 4])
  }

  @Test func `a pattern without a method matches all methods, and may use any repeatedly`()
    throws
  {
    let pattern = try read("/users/{any}/{any}") { parser throws(Diagnostic) in
      try parser.requestPattern().value
    }
    #expect(pattern.method == nil)
    #expect(pattern.path.segments == [.literal("users"), .capture("any"), .capture("any")])
    #expect(pattern.targetText == "any /users/{any}/{any}")
  }

  @Test(arguments: [
    ("GET /x", true), ("/x", true), ("http://x", true), ("any", true), ("posts", false),
    ("2", false),
  ])
  func `a pattern is distinguished from a name by its beginning`(
    text: String,
    isPattern: Bool
  ) {
    #expect(Parser(text, table: CommandTable([])).isNextRequestPattern == isPattern)
  }
}
