import HTTPTypes
import MockHTTP
import RemoteLoading
import Testing

@Suite struct TemplateTests {
  private func text(_ answer: ScriptedAnswer, to line: String = "GET /users/7?page=2&q=a+b")
    -> String?
  {
    MockServer(.on(nil, "/users/{id}", answer)).receive(line).text
  }

  @Test(arguments: [
    ("user {id}", "user 7"), ("{method} {path}", "GET /users/7"), ("{query.q}", "a b"),
    ("[{query.none}]", "[]"), ("{unknown} {} { id } {id", "{unknown} {} { id } {id"),
    ("{{id}}", "{7}"),
    ("{id:json} {query.q:json}", #"7 "a b""#), ("{header.accept}", ""), ("{count}", "1"),
  ])
  func `a name in braces is replaced by a part of the request`(template: String, text: String) {
    #expect(self.text(.text(template)) == text)
  }

  @Test func `inserted values are not expanded`() {
    #expect(text(.text("{query.q}"), to: "GET /users/7?q={id}") == "{id}")
  }

  @Test func `a capture takes precedence over a predefined name`() {
    let server = MockServer(.get("/{method}", .text("{method}")))
    #expect(server.receive("GET /x").text == "x")
  }

  @Test func `a rest is echoed with its slashes, decoded`() {
    let server = MockServer(.get("/files/{name...}", .text("{name}")))
    #expect(server.receive("GET /files/a/b%20c").text == "a/b c")
  }

  @Test func `captures of the query and of header fields are echoed`() {
    var route = Route.get("/a", .text("{page} {agent}"))
    route.pattern.query = [.init(name: "p", value: .capture("page"))]
    route.pattern.headers = [.init(name: "User-Agent", value: .capture("agent"))]
    let request = RemoteRequest.asking("GET /a?p=3", headers: [.userAgent: "curl"])
    #expect(MockServer(route).receive(request, at: .zero).text == "3 curl")
  }

  @Test func `the body is echoed`() {
    let server = MockServer(.post("/a", .json(#"{"sent": "{body}", "as JSON": "{body:json}"}"#)))
    let exchange = server.receive(.asking("POST /a", body: #"{"a": [1]}"#), at: .zero)
    #expect(exchange.text == #"{"sent": "{\"a\": [1]}", "as JSON": {"a": [1]}}"#)
  }

  @Test func `a route counts its requests`() {
    let server = MockServer(.get("/a", .text("{count}")))
    #expect((0..<3).map { _ in server.receive("GET /a").text } == ["1", "2", "3"])
  }

  @Test(arguments: [
    (#"{"id": "{id}"}"#, #"{"id": "7"}"#), (#"{"id": "{id:json}"}"#, #"{"id": 7}"#),
    (#"{"id": "x{id:json}"}"#, #"{"id": "x{id:json}"}"#), (#"["\"{id}"]"#, #"["\"7"]"#),
    (#"{"q": "{query.q:json}", "n": "{query.none:json}"}"#, #"{"q": "a b", "n": null}"#),
    (#"["\u007bid}", {"id": 1}]"#, #"["\u007bid}", {"id": 1}]"#),
    (#"{"{id}": {"a":{}}}"#, #"{"7": {"a":{}}}"#),
  ])
  func `JSON strings have placeholders`(template: String, text: String) {
    #expect(self.text(.json(template)) == text)
  }

  @Test(arguments: ["\"", "\\", "\u{1}", "a\nb", "{", "}\"]", "07", "1e", "nul", "é", "\u{2028}"])
  func `JSON stays valid for every inserted value`(value: String) throws {
    let server = MockServer(.post("/a", .json(#"["{body}", "{body:json}"]"#)))
    let text = try #require(server.receive(.asking("POST /a", body: value), at: .zero).text)
    let echo = MockServer(.post("/b", 200).body(.json(text)))
    #expect(echo.status(of: .asking("POST /b", body: text)) == 200, "\(text) is no JSON")
  }

  @Test func `header fields have placeholders and cannot be split`() throws {
    let answer = ScriptedAnswer.status(302).header("Location", "/new/{id}?q={query.q}")
    let server = MockServer(.get("/users/{id}", answer))
    let delivery = try #require(server.receive("GET /users/a%0D%0AX-Evil:1?q=z").delivery)
    #expect(delivery.head.headerFields[.location] == "/new/a  X-Evil:1?q=z")
    #expect(delivery.head.headerFields.count == 2)
  }
}
