import HTTPTypes
import MockHTTP
import RehearsalBase
import RemoteLoading
import Testing

/// Routes that are made from recorded exchanges.
@Suite struct TrafficRoutesTests {
  private func routes(
    _ entries: String...,
    options: TrafficOptions = TrafficOptions()
  ) throws -> TrafficRoutes {
    let log = #"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#
    return try Traffic(har: Array(log.utf8)).makeRoutes(options)
  }

  private func answers(_ entries: String...) throws -> [ScriptedAnswer] {
    let log = #"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#
    let routes = try Traffic(har: Array(log.utf8)).makeRoutes().routes
    try #require(routes.count == 1)
    return routes[0].answers
  }

  private func response(_ answer: ScriptedAnswer?) throws -> ScriptedResponse {
    guard case .response(let response) = answer?.outcome else {
      throw Mismatch(text: "\(String(describing: answer))")
    }
    return response
  }

  private struct Mismatch: Error { let text: String }

  // MARK: Requests

  @Test func `a request becomes a route with its query`() throws {
    let result = try routes(HAR.entry("GET", "https://api.example/a%20b/?page=1&q=a+b%21&x=&flag"))

    let pattern = try #require(result.routes.first).pattern
    #expect(pattern.method == .get)
    #expect(pattern.host == nil)
    #expect(pattern.path.segments == [.literal("a b"), .literal("")])
    #expect(
      pattern.query == [
        .init(name: "page", value: .text("1")), .init(name: "q", value: .text("a b!")),
        .init(name: "x", value: .text("")), .init(name: "flag", value: .text("")),
      ]
    )
    #expect(result.exchangeCount == 1)
    #expect(result.hosts == ["api.example"])
  }

  @Test func `a status that no route can have is left out`() throws {
    let head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/b")
    let exchanges = [999, 204].map { status in
      RecordedExchange(
        request: RemoteRequest(head),
        outcome: .response(RemoteResponse(HTTPResponse(status: .init(code: status)))),
        wait: .zero,
        receive: .zero
      )
    }
    let result = Traffic(exchanges).makeRoutes()

    #expect(result.leftOut == [.badStatus: 1])
    #expect(result.exchangeCount == 1)
  }

  @Test func `equal requests become one route with a sequence of answers`() throws {
    let answers = try answers(
      HAR.entry(status: 503),
      HAR.entry(status: 503),
      HAR.entry(content: HAR.json("[1]"))
    )

    #expect(try answers.map { try response($0).status } == [503, 503, 200])
  }

  @Test(arguments: [
    ["id=7&view=short", "view=short&id=7"], ["a=1&a=2", "a=2&a=1&a=1"], ["a", "a="],
  ])
  func `queries that no route can distinguish become one route`(queries: [String]) throws {
    let entries = queries.enumerated().map { index, query in
      HAR.entry("GET", "https://a.example/?\(query)", content: HAR.json("[\(index)]"))
    }
    let routes = try routes(entries[0], entries[1]).routes

    #expect(routes.map(\.answers.count) == [2])
  }

  @Test(arguments: [
    [#"{\"a\": 1, \"b\": [1.50]}"#, #"{\"b\":[15e-1],\"a\":1.0}"#], ["[-0]", "[0]"],
  ])
  func `bodies that no route can distinguish become one route`(bodies: [String]) throws {
    let posts = bodies.map { #"{"text": "\#($0)"}"# }
    let first = HAR.entry("POST", post: posts[0], content: HAR.json("[0]"))
    let same = try routes(first, HAR.entry("POST", post: posts[1], content: HAR.json("[1]")))
    let apart = try routes(first, HAR.entry("POST", post: #"{"text": "[2]"}"#))

    #expect(same.routes.map(\.answers.count) == [2])
    #expect(apart.routes.map(\.answers.count) == [1, 1])
  }

  @Test func `a route with more conditions wins, however its request was written`() throws {
    func path(_ text: String) -> String { HAR.entry("GET", "https://a.example/?\(text)") }
    let queries = try routes(path("a=1&b=2"), path("a=1&a=1&a=1")).routes.map(\.pattern.query.count)
    #expect(queries == [1, 2])

    func post(_ text: String) -> String { HAR.entry("POST", post: #"{"text": "\#(text)"}"#) }
    let bodies = try routes(
      post(#"{\"a\":1,\"b\":2}"#),
      post(#"{\"a\":1.00000000000000000}"#)
    )
    #expect(
      bodies.routes.map(\.pattern.body) == [
        .json(#"{"a": 1.00000000000000000}"#), .json(#"{"a": 1, "b": 2}"#),
      ]
    )
  }

  @Test func `answers that no route can have leave no files`() throws {
    let entries = (0..<1_010).map { HAR.entry(content: HAR.json("[\($0)]")) }
    let log = #"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#
    let routes = try Traffic(har: Array(log.utf8)).makeRoutes()

    #expect(routes.leftOut == [.tooMuch: 10])
    #expect(routes.files.isEmpty)
  }

  @Test func `equal answers at the end become one with their range of times`() throws {
    let answers = try answers(
      HAR.entry(status: 500),
      HAR.entry(timings: #"{"wait": 120}"#),
      HAR.entry(timings: #"{"wait": 80}"#),
      HAR.entry(timings: #"{"wait": 100}"#)
    )

    #expect(answers.count == 2)
    #expect(answers.last?.delay == .uniform(.milliseconds(80), .milliseconds(120)))
  }

  @Test func `bodies are conditions only if they differ`() throws {
    let posts = [#"{\"a\": 1}"#, #"{\"a\": 1, \"b\": 2}"#].map { #"{"text": "\#($0)"}"# }

    let same = try routes(HAR.entry("POST", post: posts[0]), HAR.entry("POST", post: posts[0]))
    let apart = try routes(HAR.entry("POST", post: posts[1]), HAR.entry("POST", post: posts[0]))

    #expect(same.routes.map(\.pattern.body) == [nil])
    #expect(
      apart.routes.map(\.pattern.body) == [.json(#"{"a": 1}"#), .json(#"{"a": 1, "b": 2}"#)]
    )
  }

  @Test func `a host is kept only if two hosts have the same path`() throws {
    let result = try routes(
      HAR.entry("GET", "https://a.example/x"),
      HAR.entry("GET", "https://B.example:443/x"),
      HAR.entry("GET", "https://a.example/y")
    )

    #expect(result.routes.map(\.pattern.host) == ["a.example", "b.example", nil])
  }

  @Test func `other hosts are left out on request, and counted`() throws {
    var options = TrafficOptions()
    options.hosts = ["A.example"]

    let result = try routes(
      HAR.entry("GET", "https://a.example/x"),
      HAR.entry("GET", "https://b.example/x"),
      options: options
    )

    #expect(result.routes.map(\.pattern.host) == [nil])
    #expect(result.leftOut == [.otherHost: 1])
  }

  // MARK: Answers

  @Test(arguments: [
    (#"{"wait": 120.4, "receive": 99}"#, 120, ScriptedAnswer.Pace.atOnce),
    (#"{"wait": 0, "receive": 100}"#, 0, .drip(pieces: 2, over: .milliseconds(100))),
    (#"{"wait": 1, "receive": 450.6}"#, 1, .drip(pieces: 4, over: .milliseconds(451))),
    (#"{"wait": 1, "receive": 60000}"#, 1, .drip(pieces: 20, over: .seconds(60))),
  ])
  func `times are kept, and a slow body drips`(
    timings: String,
    wait: Int,
    pace: ScriptedAnswer.Pace
  ) throws {
    let content = HAR.content(String(repeating: "x", count: 100), type: "text/plain")

    let answer = try answers(HAR.entry(content: content, timings: timings)).first

    #expect(answer?.delay == .fixed(.milliseconds(wait)))
    #expect(answer?.pace == pace)
  }

  @Test(arguments: [
    (#"{"a":1,"b":["x\/y"]}"#, "application/json", #"{"a": 1, "b": ["x/y"]}"#, nil),
    (
      "{\n}", "application/problem+json; charset=utf-8", "{}",
      "application/problem+json; charset=utf-8"
    ),
    ("[1]", "text/plain", "[1]", "text/plain"), ("17", "application/json", "17", nil),
  ])
  func `JSON is recognized with every type`(
    text: String,
    type: String,
    written: String,
    kept: String?
  ) throws {
    let body = try response(answers(HAR.entry(content: HAR.json(text, type: type))).first).body

    #expect(body == ScriptedBody(.json(written), type: kept))
  }

  @Test(arguments: [
    ("hello", "text/plain", nil), ("<p>", "text/html; charset=utf-8", "text/html; charset=utf-8"),
    ("{no", "application/json", "application/json"),
    ("a,b", "application/octet-stream", "application/octet-stream"),
  ])
  func `other text keeps its type`(text: String, type: String, kept: String?) throws {
    let body = try response(
      answers(HAR.entry(content: HAR.content(text, type: type))).first
    ).body

    #expect(body == ScriptedBody(.text(text), type: kept))
  }

  @Test(arguments: [
    (HAR.binary(100, type: "image/png"), "png"), (HAR.binary(100, type: ""), "bin"),
    (HAR.content(String(repeating: "é", count: 1025), type: "text/plain"), "txt"),
    (HAR.json("[\(String(repeating: "1,", count: 1100))1]"), "json"),
    (HAR.json(#"{"a": "{id}", "b": "\#(long)"}"#), "json"),
    (HAR.content("{path} \(long)", type: "text/html"), "html"),
    (HAR.json(#"{"a": 1, "a": 2, "b": "\#(long)"}"#), "json"),
    (HAR.content("a\u{1B}[m \(long)", type: "text/css"), "css"),
  ])
  func `a large or binary body becomes a file`(content: String, ending: String) throws {
    let entry = HAR.entry("GET", "https://a.example/v1/Größe/%2e%2e/x%0A.php", content: content)

    let result = try routes(entry)

    let file = try #require(result.files.first)
    #expect(file.name == "traffic-001-gr-e-x-php.\(ending)")
    guard case .file(let name, let bytes) = try response(result.routes[0].answers[0]).body.content
    else { throw Mismatch(text: "no file") }
    #expect(name == file.name)
    #expect(bytes == file.bytes)
  }

  private static let long = String(repeating: "long ", count: 20)

  @Test func `a few binary bytes do not become a file`() throws {
    let answer = try answers(HAR.entry(content: HAR.binary(3, type: "image/gif"))).first

    #expect(try response(answer).body == ScriptedBody(.bytes([0, 0, 0]), type: "image/gif"))
  }

  @Test func `the number of answers is limited`() throws {
    let entries = (0..<1002).map { HAR.entry(content: HAR.json("\($0)")) }

    let log = #"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#
    let result = try Traffic(har: Array(log.utf8)).makeRoutes()

    #expect(result.routes.map(\.answers.count) == [1000])
    #expect(result.exchangeCount == 1000)
    #expect(result.leftOut == [.tooMuch: 2])
  }

  @Test func `a file has the recorded bytes, and equal bodies share it`() throws {
    let text = "[ \(String(repeating: "1, ", count: 1000)) 1]"
    let result = try routes(
      HAR.entry("GET", "https://a.example/1", content: HAR.json(text)),
      HAR.entry("GET", "https://a.example/2", content: HAR.json(text))
    )

    #expect(result.files.map(\.bytes) == [Array(text.utf8)])
  }

  @Test(arguments: [
    "../../etc/passwd", "//etc//passwd", "%2e%2e%2f%2e%2e%2fx", "\\..\\x", "a%00b", "%1b%5b2J",
    "..",
    "", "CON", "x.sh;rm%20-rf", String(repeating: "long", count: 200),
  ])
  func `the name of a file cannot leave its directory`(path: String) throws {
    var options = TrafficOptions()
    options.filePrefix = "../" + path
    let type = "x/../../\(path)".split(separator: "\\").joined(separator: "/")
    let url = "https://a.example/\(path)".split(separator: "\\").joined(separator: "/")

    let name = try #require(
      routes(HAR.entry("GET", url, content: HAR.binary(100, type: type)), options: options).files
        .first
    ).name

    #expect(name.wholeMatch(of: /[a-z0-9][a-z0-9-]{0,90}\.bin/) != nil, "\(name)")
  }

  @Test func `header fields of the connection and the time are dropped`() throws {
    let names = [
      "Content-Length", "Transfer-Encoding", "Connection", "Content-Encoding", "Date", "Age",
      "Strict-Transport-Security", "CF-Ray", "Content-Type", "ETag", "X-Page", "X-Page",
      "Cache-Control",
    ]
    let headers = "[\(names.map { HAR.field($0, "text/plain") }.joined(separator: ","))]"

    let kept = try response(answers(HAR.entry(headers: headers)).first).headers.map(\.name)

    #expect(kept == ["ETag", "X-Page", "X-Page", "Cache-Control"])
  }

  @Test(arguments: [
    ("https://api.example/new?a=1#b", "/new?a=1#b"), ("/new", "/new"),
    ("https://other.example/new", "https://other.example/new"), ("//api.example/x", "/x"),
  ])
  func `a redirect within the recording stays within the routes`(
    location: String,
    kept: String
  ) throws {
    let entry = HAR.entry(status: 302, headers: "[\(HAR.field("Location", location))]")

    let response = try response(answers(entry).first)

    #expect(response.status == 302)
    #expect(response.headers == [.init(name: "Location", value: kept)])
    #expect(response.body == .empty)
  }

  @Test(arguments: [
    ("GET", 204), ("GET", 304), ("HEAD", 200),
  ])
  func `an answer that cannot have a body has none`(method: String, status: Int) throws {
    let entry = HAR.entry(method, status: status, content: HAR.content("x", type: "text/plain"))

    #expect(try response(answers(entry).first).body == .empty)
  }

  @Test func `a body that was not recorded is filler of its size`() throws {
    let entry = HAR.entry(content: #"{"size": 4000, "mimeType": "image/png"}"#)

    let body = try response(answers(entry).first).body

    #expect(body == ScriptedBody(.filler(bytes: 4000), type: "image/png"))
  }

  @Test(arguments: [
    ("net::ERR_CONNECTION_REFUSED", Fault.refused), ("net::ERR_CONNECTION_RESET", .reset),
    ("net::ERR_EMPTY_RESPONSE", .empty), ("net::ERR_INVALID_HTTP_RESPONSE", .garbage),
    ("net::ERR_TIMED_OUT", .never), ("net::ERR_CERT_AUTHORITY_INVALID", .tls),
  ])
  func `a failure is a fault`(code: String, fault: Fault) throws {
    let entry = HAR.entry(status: 0, more: #", "_error": "\#(code)""#)

    #expect(try answers(entry).first?.outcome == .fault(fault))
  }

  @Test func `exchanges that a proxy recorded become the same routes`() throws {
    let head = HTTPRequest(
      method: .get,
      scheme: "http",
      authority: "127.0.0.1:8080",
      path: "/a?b=1"
    )
    let request = RemoteRequest(head)
    let response = RemoteResponse(
      HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]),
      body: Array("[1]".utf8)
    )
    let exchanges = [
      RecordedExchange(request: request, outcome: .failure(.reset), wait: .microseconds(1499)),
      RecordedExchange(request: request, outcome: .failure(.offline)),
      RecordedExchange(
        request: request,
        outcome: .response(response),
        wait: .microseconds(1500),
        receive: .seconds(-1)
      ),
    ]

    let result = Traffic(exchanges).makeRoutes()

    let route = try #require(result.routes.first)
    #expect(result.routes.count == 1)
    #expect(
      route.answers == [
        ScriptedAnswer(.fault(.reset), delay: .fixed(.milliseconds(1))),
        ScriptedAnswer(
          .response(ScriptedResponse(status: 200, body: ScriptedBody(.json("[1]")))),
          delay: .fixed(.milliseconds(2))
        ),
      ]
    )
    #expect(result.leftOut == [.noAnswer: 1])
    #expect(
      result.summary == [
        "2 requests in 1 route", "hosts: 127.0.0.1:8080", "left out: 1 without an answer",
      ]
    )
  }
}
