import Loading
import MockHTTP
import RehearsalBase
import Testing

/// Random secrets, planted in every place that recordings are known to have.
@Suite struct TrafficSecretsTests {
  /// A place for a secret: an entry of a recording that contains it.
  private static let places: [@Sendable (String) -> String] = [
    { HAR.entry(sent: "[\(HAR.field("Authorization", "Bearer \($0)"))]") },
    { HAR.entry(headers: "[\(HAR.field("set-cookie", "a=\($0); Secure"))]") },
    { HAR.entry(headers: "[\(HAR.field("X-Auth-Token", $0))]") },
    { HAR.entry(headers: "[\(HAR.field("X-Debug", "used Bearer \($0)"))]") },
    { HAR.entry(headers: "[\(HAR.field("Link", "</a?api_key=\($0)>; rel=next"))]") },
    {
      HAR.entry(status: 302, headers: "[\(HAR.field("Location", "https://x.example/?code=\($0)"))]")
    },
    { HAR.entry(status: 302, headers: "[\(HAR.field("Location", "https://a:\($0)@x.example/"))]") },
    { HAR.entry(status: 302, headers: "[\(HAR.field("Location", "/cb#access_token=\($0)&x=1"))]") },
    { HAR.entry("GET", "https://bo:\($0)@a.example/") },
    { HAR.entry("GET", "https://a.example/x?access_token=\($0)&page=1") },
    { HAR.entry("GET", "https://a.example/x?X-Amz-Signature=\($0)") },
    { HAR.entry("GET", "https://a.example/x?next=%2Fcb%3Ftoken%3D\($0)") },
    { HAR.entry("GET", "https://a.example/x;jsessionid=\($0)") },
    { HAR.entry("GET", "https://a.example/confirm/eyJ\($0).\($0)/now") },
    { HAR.entry("POST", post: #"{"text": "{\"user\": {\"password\": \"\#($0)\"}}"}"#) },
    { HAR.entry("POST", post: #"{"text": "{\"user\": 1, \"pass_code\": [\"\#($0)\"]}"}"#) },
    { HAR.entry("POST", post: #"{"text": "grant=x&client_secret=\#($0)&y=2"}"#) },
    { HAR.entry("POST", post: #"{"params": [\#(HAR.field("password", $0))]}"#) },
    { HAR.entry(content: HAR.json(#"{"refreshToken": "\#($0)"}"#)) },
    { HAR.entry(content: HAR.json(#"[{"a": {"api-key": ["\#($0)", {"v": "\#($0)"}]}}]"#)) },
    { HAR.entry(content: HAR.json(#"{"jwt": 1, "x": "eyJ\#($0)"}"#)) },
    { HAR.entry(content: HAR.json(#"{"eyJ\#($0)": 1}"#)) },
    { HAR.entry(content: HAR.json(#"{"url": "https://x/?sig=\#($0)"}"#)) },
    { HAR.entry(content: HAR.json(#"{"inner": "{\"secret\": \"\#($0)\"}"}"#)) },
    { HAR.entry(content: HAR.json(#"{"secret": "a\u0022\#($0)"}"#, type: "text/html")) },
    { HAR.entry(content: HAR.json(#"{"token": "\#($0)", "token": "\#($0)"}"#)) },
    { HAR.entry(content: HAR.json(#"{"token": "\#($0)", "n": [1, "#)) },
    { HAR.entry(content: HAR.json(#"cb({"token": "\#($0)"})"#, type: "text/javascript")) },
    { HAR.entry(content: HAR.json("{\"a\": 1}\n{\"token\": \"\($0)\"}")) },
    { HAR.entry(content: HAR.content("x: 1\npassword: \($0)\n", type: "text/yaml")) },
    { HAR.entry(content: HAR.content("<a><token x='1'>\($0)</token></a>", type: "text/xml")) },
    {
      HAR.entry(content: HAR.content("<meta content='\($0)' name='csrf-token'>", type: "text/html"))
    },
    { HAR.entry(content: HAR.content("<a href='/x?a=1&amp;key=\($0)'>", type: "text/html")) },
    { HAR.entry(content: HAR.content("curl -H 'Authorization: Basic \($0)'", type: "text/plain")) },
    { HAR.entry(content: HAR.content("\($0)", type: "text/plain; token=\($0)")) },
  ]

  @Test(arguments: places.indices)
  func `a planted secret is in no route and in no file`(place: Int) throws {
    var random = SplitMix64(seed: UInt64(place))
    for length in [8, 16, 24, 40, 400] {
      for isLarge in [false, true] {
        let secret = Self.secret(length, &random)
        var options = TrafficOptions()
        options.longestInlineBody = isLarge ? 0 : 10_000

        let result = try Traffic(har: HAR.log(Self.places[place](secret))).makeRoutes(options)

        #expect(result.routes.count == 1)
        #expect(!Self.text(of: result).contains(secret))
        #expect(!result.masked.isEmpty || place == 0)
      }
    }
  }

  @Test func `a secret known from one place is removed everywhere`() throws {
    var random = SplitMix64(seed: 99)
    for seed in 0..<60 {
      let secret = Self.secret(12, &random)
      let entries = (0..<4).map { _ in
        Self.places[Int(random.next() % UInt64(Self.places.count))](secret)
      }
      let elsewhere = [
        HAR.entry("GET", "https://b.example/it/is/\(secret)/x"),
        HAR.entry("GET", "https://b.example/a\(secret)b?q=x\(secret)&\(secret)=1"),
        HAR.entry(
          headers: "[\(HAR.field("ETag", secret))]",
          content: HAR.json(#"{"x": "\#(secret)"}"#)
        ),
        HAR.entry(content: HAR.content("<p>\(secret)</p>", type: "text/html")),
        HAR.entry(
          content: HAR.content("\u{1}\(secret)\u{0}".filter { $0 > "\u{1F}" }, type: "image/png")
        ),
        HAR.entry("POST", post: #"{"text": "[\"\#(secret)\"]"}"#),
      ]
      let log = #"{"log": {"entries": [\#((elsewhere + entries).joined(separator: ","))]}}"#

      let result = try Traffic(har: Array(log.utf8)).makeRoutes()

      #expect(!Self.text(of: result).contains(secret), "seed \(seed): \(secret)")
    }
  }

  @Test func `keeping secrets keeps them everywhere`() throws {
    var options = TrafficOptions()
    options.keepingSecrets = true
    for place in Self.places.indices where ![0, 8, 13, 14, 15, 16, 17].contains(place) {
      let har = HAR.log(Self.places[place]("x1y2z3w4v5u6t7s8"))

      let result = try Traffic(har: har).makeRoutes(options)

      #expect(Self.text(of: result).contains("x1y2z3w4v5u6t7s8"), "\(place)")
    }
  }

  /// Returns letters and digits, at least one of each.
  private static func secret(_ length: Int, _ random: inout SplitMix64) -> String {
    let letters = Array("abcdefghijkmnopqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWXYZ0123456789")
    let text = (2..<length).map { _ in letters[Int(random.next() % UInt64(letters.count))] }
    return "Q" + String(text) + "7"
  }

  /// Returns everything that a caller could print or write.
  private static func text(of result: TrafficRoutes) -> String {
    let files = result.files.map { $0.name + String(decoding: $0.bytes, as: UTF8.self) }
    let bytes = result.routes.flatMap(\.answers).map { answer in
      guard case .response(let response) = answer.outcome,
        case .bytes(let bytes) = response.body.content
      else { return "" }
      return String(decoding: bytes, as: UTF8.self)
    }
    return "\(result.routes) \(result.hosts)" + (files + bytes).joined()
  }
}
