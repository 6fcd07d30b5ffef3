import HTTPTypes
import MockHTTP
import RemoteLoading
import Testing

@Suite struct MatchingTests {
  @Test(
    arguments: [
      ("/", "/"), ("/posts", "/posts"), ("/posts", "/posts?page=2"), ("/a b", "/a%20b"),
      ("/a%20b", "/a%20b"), ("/a%2Fb", "/a%2fb"), ("/caf%C3%A9", "/café"),
      ("/users/{id}", "/users/7"),
      ("/posts/", "/posts/"), ("/{rest...}", "/"), ("/{rest...}", "/a/b"),
      ("/files/{rest...}", "/files"),
      ("/files/{rest...}", "/files/"), ("//a", "//a"), ("/a%zz", "/a%zz"), ("/a", "/a?"),
    ] as [(PathTemplate, String)]
  )
  func `a path matches its template`(template: PathTemplate, path: String) {
    #expect(MockServer(.get(template, 200)).status("GET \(path)") == 200)
  }

  @Test(
    arguments: [
      ("/posts", "/posts/"), ("/posts/", "/posts"), ("/posts", "//posts"), ("/posts", "/Posts"),
      ("/a/b", "/a%2Fb"), ("/users/{id}", "/users/"), ("/users/{id}", "/users"),
      ("/users/{id}", "/users/7/posts"), ("/files/{rest...}", "/file"), ("/", "/a"),
    ] as [(PathTemplate, String)]
  )
  func `another path does not match`(template: PathTemplate, path: String) {
    #expect(MockServer(.get(template, 200)).status("GET \(path)") == nil)
  }

  @Test(arguments: [
    ("tag=a", true), ("x=1&tag=a&y", true), ("tag=b&tag=a", true), ("t%61g=%61", true),
    ("tag=b", false),
    ("tag", false), ("", false), ("TAG=a", false),
  ])
  func `a query matches in any order, decoded`(query: String, matches: Bool) {
    let server = MockServer(.get("/posts", 200).query("tag", "a"))
    #expect((server.status("GET /posts?\(query)") == 200) == matches)
  }

  @Test func `a plus in a query is a space, in a path it is a plus`() {
    let server = MockServer(.get("/a+b", 200).query("q", "two words"))
    #expect(server.status("GET /a+b?q=two+words") == 200)
    #expect(server.status("GET /a%20b?q=two+words") == nil)
  }

  @Test func `a query can require several values of one name`() {
    let server = MockServer(.get("/a", 200).query("tag", "x").query("tag", "y"))
    #expect(server.status("GET /a?tag=y&tag=x") == 200)
    #expect(server.status("GET /a?tag=y&tag=y") == nil)
  }

  @Test func `header fields match whatever the case of their name`() {
    let server = MockServer(.get("/a", 200).header("ACCEPT", "text/html"))
    #expect(server.status(of: .asking("GET /a", headers: [.accept: "text/html"])) == 200)
    #expect(server.status(of: .asking("GET /a", headers: [.accept: "TEXT/HTML"])) == nil)
    #expect(server.status("GET /a") == nil)
  }

  @Test func `the header field host is the request's authority`() {
    let server = MockServer(.get("/a", 200).header("Host", "example.org"))
    #expect(server.status(of: .asking("GET /a", host: "example.org")) == 200)
  }

  @Test(arguments: [
    ("example.org", "EXAMPLE.org", true), ("example.org", "example.org:8080", true),
    ("example.org:80", "example.org", true), ("example.org:8080", "example.org", false),
    ("[::1]:8080", "[::1]:8080", true), ("[::1]", "[::1]:9", true),
    ("example.org", "u@example.org", true),
    ("example.org", "api.example.org", false),
  ])
  func `hosts are compared without case, and with the port if there is one`(
    pattern: String,
    asked: String,
    matches: Bool
  ) {
    let server = MockServer(.get("/a", 200).host(pattern))
    #expect((server.status(of: .asking("GET /a", host: asked)) == 200) == matches)
  }

  @Test(arguments: [
    (#"{"a": 1}"#, true), (#"{"b": [1], "a": 1.0}"#, true), (#"{"a": 2}"#, false),
    (#"{"a": "1"}"#, false),
    (#"[{"a": 1}]"#, false), ("no JSON", false), ("", false),
  ])
  func `a JSON body needs at least the fields of the condition`(body: String, matches: Bool) {
    let server = MockServer(.post("/a", 200).body(.json(#"{"a": 1}"#)))
    #expect((server.status(of: .asking("POST /a", body: body)) == 200) == matches)
  }

  @Test func `nested fields are compared the same way, array items one by one`() {
    let server = MockServer(
      .post("/a", 200).body(.json(#"{"u": {"n": "x"}, "l": [{"k": null}, 2]}"#))
    )
    let fits = #"{"l": [{"k": null, "m": true}, 2.0], "u": {"id": 7, "n": "x"}}"#
    #expect(server.status(of: .asking("POST /a", body: fits)) == 200)
    #expect(server.status(of: .asking("POST /a", body: #"{"u": {"n": "x"}, "l": [2]}"#)) == nil)
  }

  @Test func `a body can be required to contain a text`() {
    let server = MockServer(.post("/a", 200).body(.contains("needle")))
    #expect(server.status(of: .asking("POST /a", body: "hay needle hay")) == 200)
    #expect(server.status(of: .asking("POST /a", body: "hay")) == nil)
  }

  @Test(
    arguments: [
      ("users", .noSlash), ("/a{b}", .brace(segment: "a{b}")), ("/{a", .brace(segment: "{a")),
      ("/{}", .captureName("")), ("/{a b}", .captureName("a b")), ("/{a}/{a}", .repeatedName("a")),
      ("/{a...}/b", .restNotLast("a")), ("/a?b", .notPath("?")),
      ("/{a}{b}", .brace(segment: "{a}{b}")),
    ] as [(String, PathTemplate.Problem)]
  )
  func `a malformed template has a reason`(text: String, problem: PathTemplate.Problem) {
    #expect(throws: problem) { try PathTemplate(parsing: text) }
  }

  @Test(arguments: ["/", "/users/{id}", "/a/{rest...}", "/a%2Fb/%7Bx%7D", "/posts/", "//"])
  func `a template is printed as it was parsed`(text: String) throws {
    #expect(try PathTemplate(parsing: text).description == text)
  }
}
