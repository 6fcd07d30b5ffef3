import HTTPTypes
import MockHTTP
import RemoteLoading
import Testing

/// HAR files of different programs.
@Suite struct TrafficReadingTests {
  @Test func `an entry has a request, its response and its times`() throws {
    let har = HAR.log(
      HAR.entry(
        "POST",
        "https://api.example:8443/posts?page=1#top",
        sent: "[\(HAR.field(":authority", "api.example")), \(HAR.field("Accept", "*/*"))]",
        post: #"{"mimeType": "application/json", "text": "{\"a\": 1}"}"#,
        status: 201,
        headers: "[\(HAR.field("X-A", "1")), \(HAR.field("X-A", "2"))]",
        content: HAR.json(#"{"id": 7}"#),
        timings: #"{"blocked": -1, "dns": -1, "send": 1, "wait": 120.4, "receive": 3.2}"#
      )
    )

    let exchange = try #require(try Traffic(har: har).exchanges.first)

    #expect(exchange.request.head.method == .post)
    #expect(exchange.request.head.authority == "api.example:8443")
    #expect(exchange.request.head.path == "/posts?page=1")
    #expect(exchange.request.head.headerFields.count == 1)
    #expect(exchange.request.body == Array(#"{"a": 1}"#.utf8))
    #expect(exchange.response?.head.status.code == 201)
    #expect(exchange.response?.head.headerFields.count == 3)
    #expect(exchange.bodyText == #"{"id": 7}"#)
    #expect(exchange.wait == .milliseconds(120))
    #expect(exchange.receive == .milliseconds(3))
  }

  @Test(arguments: [
    (#"{"wait": -1, "receive": 20}"#, 30), (#"{"wait": 12}"#, 12), ("null", 50), ("{}", 50),
    (#"{"wait": 1e300, "receive": -1}"#, 86_400_000),
  ])
  func `an unknown wait is the total time without the transfer`(
    timings: String,
    milliseconds: Int
  ) throws {
    let har = HAR.log(HAR.entry(timings: timings))

    #expect(try Traffic(har: har).exchanges.first?.wait == .milliseconds(milliseconds))
  }

  @Test(arguments: ["aGk", "aGk=", "aG\\nk="])
  func `a base64 body is decoded`(text: String) throws {
    let content = #"{"size": 2, "mimeType": "image/png", "encoding": "base64", "text": "\#(text)"}"#

    #expect(
      try Traffic(har: HAR.log(HAR.entry(content: content))).exchanges.first?.bodyText == "hi"
    )
  }

  @Test func `escapes are decoded, surrogate pairs joined, lone surrogates replaced`() throws {
    let content = #"{"text": "a\u00e9\ud83d\ude00\ud83d\/\n"}"#

    let exchange = try Traffic(har: HAR.log(HAR.entry(content: content))).exchanges.first

    #expect(exchange?.bodyText == "aé😀\u{FFFD}/\n")
  }

  @Test func `a body that was not recorded keeps its size`() throws {
    let har = HAR.log(
      HAR.entry(content: #"{"size": 4000, "mimeType": "image/png"}"#),
      HAR.entry(status: 204, content: #"{"size": 4000}"#),
      HAR.entry(content: #"{"size": -1, "text": null}"#)
    )

    let outcomes = try Traffic(har: har).exchanges.map(\.outcome)

    guard case .responseWithoutBody(_, size: 4000) = outcomes[0] else {
      Issue.record("\(outcomes[0])")
      return
    }
    for outcome in outcomes.dropFirst() {
      guard case .response(let response) = outcome else {
        Issue.record("\(outcome)")
        continue
      }
      #expect(response.body.isEmpty)
    }
  }

  @Test func `text is converted to UTF-8`() throws {
    let content = HAR.content("é", type: "text/html; charset=iso-8859-1")

    let response = try Traffic(har: HAR.log(HAR.entry(content: content))).exchanges.first?.response

    #expect(response?.head.headerFields[.contentType] == "text/html; charset=utf-8")
    #expect(response?.body == [0xC3, 0xA9])
  }

  @Test func `the fields of a form become the body if its text is missing`() throws {
    let params = "[\(HAR.field("user", "a b")), \(HAR.field("x", "1&2"))]"
    let har = HAR.log(HAR.entry("POST", post: #"{"mimeType": "x", "params": \#(params)}"#))

    let body = try Traffic(har: har).exchanges.first?.request.body

    #expect(body == Array("user=a%20b&x=1%262".utf8))
  }

  @Test(arguments: [
    ("net::ERR_CONNECTION_REFUSED", TransportError.refused),
    ("net::ERR_CONNECTION_RESET", .reset), ("net::ERR_EMPTY_RESPONSE", .empty),
    ("net::ERR_INVALID_HTTP_RESPONSE", .malformed), ("net::ERR_TIMED_OUT", .timedOut),
    ("net::ERR_CERT_DATE_INVALID", .insecure),
  ])
  func `a request without a response is a failure`(
    code: String,
    error: TransportError
  ) throws {
    let har = HAR.log(HAR.entry(status: 0, more: #", "_error": "\#(code)""#))

    #expect(try Traffic(har: har).exchanges.first?.outcome == .failure(error))
  }

  @Test func `an answer that was reset is a failure, although it has a status`() throws {
    let har = HAR.log(
      HAR.entry(content: HAR.json("[1]"), more: #", "_error": "net::ERR_CONNECTION_RESET""#)
    )

    #expect(try Traffic(har: har).exchanges.first?.outcome == .failure(.reset))
  }

  @Test func `routes say which bodies are incomplete`() throws {
    let har = HAR.log(
      HAR.entry(content: #"{"size": 100, "mimeType": "text/plain", "text": "the begin"}"#),
      HAR.entry(content: #"{"size": 4000, "mimeType": "image/png"}"#),
      HAR.entry(content: HAR.json("[1]")),
      HAR.entry("HEAD", content: #"{"size": 4000, "text": ""}"#)
    )

    let routes = try Traffic(har: har).makeRoutes()

    #expect((routes.missingBodyCount, routes.shortBodyCount) == (1, 1))
    #expect(
      routes.summary.contains("bodies that were not recorded, with other bytes in their place: 1")
    )
    #expect(routes.summary.contains("bodies that lack their end: 1"))
  }

  @Test func `requests are in the order of their starts`() throws {
    func entry(_ path: String, _ second: Int) -> String {
      HAR.entry("GET", "https://a/\(path)").replacing("10:00:00", with: "10:00:0\(second)")
    }
    let har = HAR.log(entry("third", 2), entry("first", 1), entry("fourth", 2))
    let other = HAR.log(entry("b", 2), entry("a", 1).replacing("000Z", with: "000+02:00"))

    #expect(
      try Traffic(har: har).exchanges.map(\.request.head.path) == ["/first", "/third", "/fourth"]
    )
    #expect(try Traffic(har: other).exchanges.map(\.request.head.path) == ["/b", "/a"])
  }

  @Test(arguments: [
    (HAR.entry(status: 0), Traffic.LeftOut.noAnswer),
    (HAR.entry(status: 999), .badStatus), (HAR.entry(status: 103), .badStatus),
    (HAR.entry(status: 0, more: #", "_error": "net::ERR_ABORTED""#), .cancelled),
    (HAR.entry(status: 0, more: #", "_error": "net::ERR_BLOCKED_BY_CLIENT""#), .blocked),
    (HAR.entry(more: #", "_error": "net::ERR_INCOMPLETE_CHUNKED_ENCODING""#), .brokenOff),
    (HAR.entry(more: #", "_error": "net::ERR_ABORTED""#), .cancelled),
    (HAR.entry("GET", "data:image/png;base64,AAAA"), .otherScheme),
    (HAR.entry("GET", "chrome-extension://abc/x.js"), .otherScheme),
    (HAR.entry("GET", "wss://api.example/live"), .webSocket),
    (HAR.entry("GET", "https://api.example/live", status: 101), .webSocket),
    (HAR.entry("G T"), .badRequest), (HAR.entry("GET", "https:///x"), .badRequest),
    (HAR.entry("GET", "https://a:0/"), .badRequest), (HAR.entry("GET", "https://é/"), .badRequest),
    (HAR.entry("GET", "https://[::1/"), .badRequest),
    (#"{"request": {"method": "GET", "url": "http://a/"}}"#, .noAnswer),
    (#"{"request": {"method": "GET", "url": "http://a/"}, "response": null}"#, .noAnswer),
    (
      #"{"_resourceType": "websocket", "request": {"method": "GET", "url": "https://a/"}}"#,
      .webSocket
    ),
  ])
  func `an entry without an exchange is left out and counted`(
    entry: String,
    reason: Traffic.LeftOut
  ) throws {
    let traffic = try Traffic(har: HAR.log(entry))

    #expect(traffic.exchanges.isEmpty)
    #expect(traffic.leftOut == [reason: 1])
  }

  @Test func `null is the same as absent, and unknown fields are skipped`() throws {
    let entry = """
      {"_x": [[{"a": [1e5, true, null, -0.5]}]], "pageref": null, "time": null, "timings": null,
       "request": {"method": "GET", "url": "http://a", "headers": null, "postData": null},
       "response": {"status": 200, "headers": null, "content": null, "redirectURL": null}}
      """
    let har = Array("\u{FEFF} {\"log\": {\"entries\": [\(entry)], \"pages\": []}}\n".utf8)

    let exchange = try #require(try Traffic(har: har).exchanges.first)

    #expect(exchange.request.head.path == "/")
    #expect(exchange.wait == .zero)
  }

  @Test func `a redirect without its header comes from the entry`() throws {
    let har = HAR.log(HAR.entry(status: 302))
    let text = String(decoding: har, as: UTF8.self)
      .split(separator: #""redirectURL": """#).joined(separator: #""redirectURL": "/new""#)

    let response = try Traffic(har: Array(text.utf8)).exchanges.first?.response

    #expect(response?.head.headerFields[.location] == "/new")
  }
}
