import HTTPTypes
import MockHTTP
import Testing

/// Secrets in a recording, and how they are masked.
@Suite struct TrafficMaskingTests {
  private func routes(_ entries: String..., keeping: Bool = false) throws -> TrafficRoutes {
    let log = #"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#
    var options = TrafficOptions()
    options.keepingSecrets = keeping
    return try Traffic(har: Array(log.utf8)).makeRoutes(options)
  }

  private func response(_ result: TrafficRoutes) throws -> ScriptedResponse {
    guard case .response(let response) = result.routes.first?.answers.first?.outcome else {
      throw Missing()
    }
    return response
  }

  private struct Missing: Error {}

  @Test(arguments: [
    (#"{"token": "abc", "n": 1}"#, #"{"token": "masked", "n": 1}"#),
    (
      #"{"user": {"accessToken": "abc", "name": "Bo"}}"#,
      #"{"user": {"accessToken": "masked", "name": "Bo"}}"#
    ),
    (
      #"{"pin": 1234, "otp": true, "password": null}"#,
      #"{"pin": 0, "otp": true, "password": null}"#
    ),
    (
      #"{"session": {"id": "x"}, "tokens": ["a", "b"]}"#,
      #"{"session": {"id": "masked"}, "tokens": ["masked", "masked"]}"#
    ),
    (#"{"log": "a Bearer abcdef123456 and"}"#, #"{"log": "a Bearer masked and"}"#),
    (#"{"note": "{\"api_key\": \"abc\"}"}"#, #"{"note": "{\"api_key\": \"masked\"}"}"#),
    (#"{"a": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.sig-_x"}"#, #"{"a": "masked"}"#),
  ])
  func `a JSON field keeps its type and loses its secret`(
    text: String,
    masked: String
  ) throws {
    let body = try response(routes(HAR.entry(content: HAR.json(text)))).body

    #expect(body.content == .json(masked))
  }

  @Test(arguments: [
    #"{"status_code": "x", "country_code": "de", "code": 404, "zipCode": "1", "sort": "key"}"#,
    #"{"max_tokens": 5, "author": "Bo", "keyboard": "us", "sessions": ["x"], "token": ""}"#,
  ])
  func `a field that only resembles a secret stays unchanged`(text: String) throws {
    let result = try routes(HAR.entry(content: HAR.json(text)))

    #expect(try response(result).body.content == .json(text))
    #expect(result.masked.isEmpty)
  }

  @Test(arguments: [
    ("a=1&password=hunter&b=2", "application/x-www-form-urlencoded", "a=1&password=masked&b=2"),
    (
      "see https://u:p@host/x?sig=a%2Fb&n=1", "text/plain",
      "see https://masked@host/x?sig=masked&n=1"
    ),
    ("password: hunter, and so on", "text/plain", "password: masked, and so on"),
    ("Authorization: Bearer abc", "text/plain", "Authorization: Bearer masked"),
    (
      "<Password type=\"x\">hunter</Password>", "text/xml", "<Password type=\"x\">masked</Password>"
    ),
    ("<key>Name</key>", "text/xml", "<key>Name</key>"),
    (
      "<input type=hidden name=\"csrf_token\" value=\"abc\">", "text/html",
      "<input type=hidden name=\"csrf_token\" value=\"masked\">"
    ),
    ("<p>password: forgotten</p>", "text/html", "<p>password: forgotten</p>"),
    ("token=getToken()", "text/javascript", "token=getToken()"),
    ("var t={token:\"x1y2z3\"}", "text/javascript", "var t={token:\"masked\"}"),
    (
      "data: {\"token\": \"a\\\"b\", \"n\": 1}", "text/event-stream",
      "data: {\"token\": \"masked\", \"n\": 1}"
    ),
    (
      "x = '{\\\"token\\\": \\\"abc\\\"}'", "text/javascript",
      "x = '{\\\"token\\\": \\\"masked\\\"}'"
    ),
    ("key ghp_0123456789abcdefABCD.", "text/plain", "key masked"),
    (
      "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", "text/plain",
      "-----BEGIN RSA PRIVATE KEY-----masked-----END RSA PRIVATE KEY-----"
    ),
    (
      "the bearer relationship is Basic authentication", "text/plain",
      "the bearer relationship is Basic authentication"
    ),
  ])
  func `text loses the value after a secret name`(
    text: String,
    type: String,
    masked: String
  ) throws {
    let body = try response(routes(HAR.entry(content: HAR.content(text, type: type)))).body

    #expect(body.content == .text(masked))
  }

  @Test(arguments: [
    ("Set-Cookie", "sid=abc; Path=/; HttpOnly", "sid=masked; Path=/; HttpOnly"),
    ("X-Api-Key", "abc", "masked"), ("x-csrf-token", "abc", "masked"),
    ("Access-Control-Allow-Credentials", "true", "true"), ("ETag", "\"abc\"", "\"abc\""),
    (
      "Location", "https://api.example/cb?code=abc&n=1#access_token=x",
      "/cb?code=masked&n=1#access_token=masked"
    ),
    ("WWW-Authenticate", "Bearer realm=\"x\"", "Bearer realm=\"x\""),
  ])
  func `a header field keeps its harmless parts`(
    name: String,
    value: String,
    masked: String
  ) throws {
    let response = try response(routes(HAR.entry(headers: "[\(HAR.field(name, value))]")))

    #expect(response.headers == [.init(name: name, value: masked)])
  }

  @Test func `a secret in a condition is any value`() throws {
    let result = try routes(
      HAR.entry(
        "GET",
        "https://u:p@a.example/v/eyJhbGciOiJIUzI1NiJ9.x/y?access_token=a&page=2&to=http%3A%2F%2Fx%3Fsig%3Da"
      )
    )

    let pattern = try #require(result.routes.first).pattern
    #expect(pattern.path.segments == [.literal("v"), .capture("masked"), .literal("y")])
    #expect(
      pattern.query == [
        .init(name: "access_token", value: .any), .init(name: "page", value: .text("2")),
        .init(name: "to", value: .any),
      ]
    )
    #expect(result.masked == [.user: 1, .token: 1, .query: 2])
  }

  @Test func `a body condition leaves out its secrets`() throws {
    let json = ["1", "2"].map { #"{\"password\": \"a\", \"n\": \#($0), \"x\": [{\"pin\": 1}]}"# }
    let form = ["1", "2"].map { "user=\($0)&password=abc&z=1" }
    let result = try routes(
      HAR.entry("POST", "https://a.example/json", post: #"{"text": "\#(json[0])"}"#),
      HAR.entry("POST", "https://a.example/json", post: #"{"text": "\#(json[1])"}"#),
      HAR.entry("POST", "https://a.example/form", post: #"{"text": "\#(form[0])"}"#),
      HAR.entry("POST", "https://a.example/form", post: #"{"text": "\#(form[1])"}"#)
    )

    #expect(
      result.routes.map(\.pattern.body) == [
        .json(#"{"n": 1, "x": [{}]}"#), .json(#"{"n": 2, "x": [{}]}"#),
        .contains("user=1&password="), .contains("user=2&password="),
      ]
    )
  }

  @Test func `a secret of one place is masked everywhere`() throws {
    let result = try routes(
      HAR.entry(
        "GET",
        "https://a.example/first",
        content: HAR.json(#"{"seen": "before x1y2z3w4!"}"#)
      ),
      HAR.entry(
        "GET",
        "https://a.example/of/x1y2z3w4",
        sent: "[\(HAR.field("Cookie", "s=x1y2z3w4"))]"
      )
    )

    #expect(
      try response(result).body == ScriptedBody(.json(#"{"seen": "before masked!"}"#))
    )
    #expect(result.routes.last?.pattern.path.segments == [.literal("of"), .capture("masked")])
    #expect(result.masked == [.again: 2])
  }

  @Test func `masked binary data keeps its length`() throws {
    let token = "eyJhbGciOiJIUzI1NiJ9.abc"
    let bytes = [0xFF, 0] + Array(token.utf8) + [0]
    let text = base64(bytes + [UInt8](repeating: 0, count: 100))
    let content = #"{"size": 1, "mimeType": "image/png", "encoding": "base64", "text": "\#(text)"}"#

    let file = try #require(routes(HAR.entry(content: content)).files.first)

    let masked = [0xFF, 0] + Array("maskedxxxxxxxxxxxxxxxxxx".utf8) + [0]
    #expect(Array(file.bytes.prefix(bytes.count)) == masked)
    #expect(file.bytes.count == bytes.count + 100)
  }

  @Test func `nothing is masked on request`() throws {
    let result = try routes(
      HAR.entry(
        "GET",
        "https://a.example/?token=abc",
        headers: "[\(HAR.field("Set-Cookie", "a=b"))]",
        content: HAR.json(#"{"password": "hunter2"}"#)
      ),
      keeping: true
    )

    #expect(result.masked.isEmpty)
    #expect(result.routes.first?.pattern.query == [.init(name: "token", value: .text("abc"))])
    #expect(try response(result).headers == [.init(name: "Set-Cookie", value: "a=b")])
    #expect(try response(result).body == ScriptedBody(.json(#"{"password": "hunter2"}"#)))
  }

  private func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    var bits = 0
    var count = 0
    for byte in bytes + [0, 0] {
      bits = bits << 8 | Int(byte)
      count += 8
      while count >= 6 {
        count -= 6
        text.append(alphabet[bits >> count & 63])
      }
    }
    return String(text.prefix((bytes.count * 8 + 5) / 6))
  }
}
