import MockHTTP
import Testing

@testable import Script

/// The routes of any recording are commands that parse to the same routes.
@Suite struct TrafficTextTests {
  @Test func `routes of unusual recordings parse to the same routes`() throws {
    var random = Pieces(seed: 5)
    var count = 0
    for _ in 0..<300 {
      let entries = (0..<4).map { _ in random.entry() }
      let log = #"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#
      for route in try Traffic(har: Array(log.utf8)).makeRoutes().routes {
        count += 1
        try check(route)
      }
    }
    #expect(count > 500)
  }

  @Test(arguments: ["body", "header"])
  func `a route with many answers is no longer than a command may be`(place: String) throws {
    let big = String(repeating: "x\\\"", count: 900)
    let entries = (0..<300).map { number in
      """
      {"request": {"method": "GET", "url": "http://a/"}, "response": {"status": 200,
       "headers": [{"name": "X-Big", "value": "\(place == "header" ? big : "")"}],
       "content": {"text": "[\(number), \\"\(place == "body" ? big : "")\\"]"}}}
      """
    }
    let log = #"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#

    let result = try Traffic(har: Array(log.utf8)).makeRoutes()

    let route = try #require(result.routes.first)
    #expect(route.commandText.utf8.count <= Script.longestCommand)
    #expect(route.answers.count == (place == "body" ? 300 : 300 - (result.leftOut[.tooMuch] ?? 0)))
    try check(route)
  }

  private func check(_ route: Route) throws {
    let text = route.commandText
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "\(text)")
    var parser = Parser(text, table: CommandTable([]))
    _ = parser.accept("route")
    do throws(Diagnostic) {
      var written = try parser.route()
      #expect(parser.isAtEnd, "\(text)")
      let bodies = route.answers.compactMap { answer -> [UInt8]? in
        guard case .response(let response) = answer.outcome,
          case .file(_, let bytes) = response.body.content
        else { return nil }
        return bytes
      }
      for (file, bytes) in zip(written.files, bodies) { try written.fill(file, with: bytes) }
      #expect(written.route.commandText == text)
      #expect(written.route.pattern == route.pattern, "\(text)")
    } catch {
      Issue.record("\(text): \(error)")
    }
  }
}

/// Generates entries of recordings from pieces with a meaning.
private struct Pieces {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private mutating func draw(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % count
  }

  private mutating func text(_ pieces: [String], atMost count: Int) -> String {
    (0...draw(count)).map { _ in pieces[draw(pieces.count)] }.joined()
  }

  private static let marks = [
    "a", "B", "7", "é", "😀", " ", "\\\"", "\\\\", "\\n", "\\u0000", "\\u001b", "\\u202e", "\\ud800",
    "{", "}", "{id}", "{count}", "{{", "'", "#", ",", ";", "&", "=", "?", "%", "%2F", "%zz", "/",
    "..",
    "\\t", "[", "]", ":", "<", ">", "+", "-", "after", " then pass", "json", "eyJhbGciOiJIUzI1",
    "\u{7F}",
  ]
  private static let bodies = [
    #"{\"a\": 1.50, \"b\": [null, true]}"#, #"{\"a\": 1, \"a\": 2}"#, #"[{}, \"\\ud83d\\ude00\"]"#,
    "17",
    #"\"x\""#, "{", "",
  ]
  private static let types = [
    "application/json", "text/html", "text/plain; charset=utf-8", "image/png", "", "x",
    "a/b; c=\\\"d\\\"",
    "application/x-www-form-urlencoded",
  ]

  mutating func entry() -> String {
    let methods = ["GET", "POST", "PUT", "HEAD", "OPTIONS", "PURGE", "get", "M-SEARCH", "any"]
    let statuses = [200, 200, 201, 204, 206, 302, 304, 307, 404, 451, 500, 599, 0]
    let marks = Self.marks
    let plain = marks.filter { !$0.hasPrefix("\\u0") && $0 != "\\n" && $0 != "\\t" }
    let body = draw(2) == 0 ? Self.bodies[draw(Self.bodies.count)] : text(marks, atMost: 12)
    let errors = ["", "net::ERR_CONNECTION_RESET", "net::ERR_TIMED_OUT"]
    return """
      {"time": \(draw(5000)), "request": {"method": "\(methods[draw(methods.count)])",
       "url": "http\(draw(2) == 0 ? "s" : "")://\(text(["a", "b.example", "c"], atMost: 1))\
      /\(text(marks, atMost: 5))?\(text(marks, atMost: 6))",
       "postData": {"text": "\(text(marks, atMost: 6))", "mimeType": "\(Self.types[draw(8)])"}},
       "response": {"status": \(statuses[draw(statuses.count)]), "_error": "\(errors[draw(3)])",
       "headers": [{"name": "\(text(["X-A", "json", "after", "1", "é", " "], atMost: 2))",
       "value": "\(text(plain, atMost: 5))"},
       {"name": "Location", "value": "\(text(plain, atMost: 5))"},
       {"name": "Content-Type", "value": "\(Self.types[draw(8)])"}],
       "content": {"size": \(draw(2) * 5000), "text": "\(body)"}},
       "timings": {"wait": \(draw(3000)).5, "receive": \(draw(400))}}
      """
  }
}
