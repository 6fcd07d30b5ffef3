import MockHTTP
import MockHTTPServer
import Testing

/// Mistakes of a client: it gets a clear answer or an end, and the next client is served.
@Suite(.timeLimit(.minutes(1))) struct HardeningTests {
  private static let post = "POST / HTTP/1.1\r\nHost: localhost\r\n"

  private static let attempts: [(what: String, bytes: String, status: Int)] = [
    ("no HTTP", "hello\r\n\r\n", 400),
    ("TLS", "\u{16}\u{03}\u{01}\u{02}\u{00}\u{01}\u{00}\u{01}\u{FC}\u{03}\u{03}", 400),
    ("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    ("HTTP/3.7", "GET / HTTP/3.7\r\nHost: localhost\r\n\r\n", 505),
    ("bare LF", "GET / HTTP/1.1\nHost: localhost\n\n", 400),
    ("bare LF after a field", "GET / HTTP/1.1\r\nHost: localhost\n\n", 400),
    ("unknown method", "BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("no host", "GET / HTTP/1.1\r\n\r\n", 400),
    ("two hosts", "GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
    ("two lengths", post + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400),
    ("the same length twice", post + "Content-Length: 1\r\nContent-Length: 1\r\n\r\na", 400),
    ("a list of lengths", post + "Content-Length: 1, 1\r\n\r\na", 400),
    ("negative length", post + "Content-Length: -1\r\n\r\n", 400),
    ("length with a sign", post + "Content-Length: +1\r\n\r\na", 400),
    ("endless length", post + "Content-Length: 99999999999999999999\r\n\r\n", 400),
    (
      "length and chunks",
      post + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400
    ),
    (
      "chunks and length",
      post + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n", 400
    ),
    ("nearly chunked", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501),
    ("gzip, chunked", post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501),
    (
      "chunked twice",
      post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400
    ),
    ("bad chunk size", post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
    ("negative chunk size", post + "Transfer-Encoding: chunked\r\n\r\n-1\r\n", 400),
    (
      "endless chunk size", post + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n", 400
    ),
    ("folded line", "GET / HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n", 400),
    ("space before the colon", "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400),
    ("empty name", "GET / HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n", 400),
    ("bare CR", "GET / HTTP/1.1\r\nHost: localhost\r\nX: a\rY: b\r\n\r\n", 400),
    ("NUL in a value", "GET / HTTP/1.1\r\nHost: localhost\r\nX: a\u{0}b\r\n\r\n", 400),
    ("NUL in the target", "GET /\u{0} HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("no ASCII", "GET /é HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("fragment", "GET /#x HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("ftp", "GET ftp://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("user in the target", "GET http://u@localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("target without host", "GET http:/// HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("asterisk", "GET * HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("tunnel", "CONNECT localhost:443 HTTP/1.1\r\nHost: localhost\r\n\r\n", 501),
    ("strange expectation", post + "Expect: money\r\n\r\n", 417),
    ("strange host", "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
    ("nearly localhost", "GET / HTTP/1.1\r\nHost: localhost.evil.example\r\n\r\n", 421),
    ("nearly an address", "GET / HTTP/1.1\r\nHost: 127.0.0.1.evil.example\r\n\r\n", 421),
    (
      "strange host in the target",
      "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 421
    ),
    (
      "one long field",
      "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: "x", count: 1_000_000), 431
    ),
    (
      "many fields",
      "GET / HTTP/1.1\r\nHost: localhost\r\n" + String(repeating: "X: y\r\n", count: 300), 431
    ),
    ("long target", "GET /" + String(repeating: "x", count: 1_000_000), 431),
    ("long body", post + "Content-Length: 1001\r\n\r\n", 413),
    (
      "long body in chunks",
      post + "Transfer-Encoding: chunked\r\n\r\n"
        + String(repeating: "a\r\n0123456789\r\n", count: 101),
      413
    ),
  ]

  private static var options: ServeOptions {
    var options = ServeOptions()
    options.bodyLimitInBytes = 1_000
    return options
  }

  @Test(arguments: attempts)
  func `a wrong request is refused, and the connection ends`(
    what: String,
    bytes: String,
    status: Int
  ) throws {
    let serving = try Serving(["/": .text("hello")], options: Self.options)
    let (text, end) = try serving.client(bytes).readToEnd()
    #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(what): \(text)")
    #expect(end == .closed, "\(what)")
    #expect(try serving.client(get("/")).readResponse()?.body == "hello", "\(what)")
  }

  private static let accepted: [(what: String, bytes: String)] = [
    ("lower case", "GET / HTTP/1.1\r\nhost: LOCALHOST\r\n\r\n"),
    ("final dot", "GET / HTTP/1.1\r\nHost: localhost.\r\n\r\n"),
    ("subdomain", "GET / HTTP/1.1\r\nHost: api.localhost:80\r\n\r\n"),
    ("IPv4", "GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n"),
    ("IPv6", "GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n"),
    ("an emulator's name of this machine", "GET / HTTP/1.1\r\nHost: 10.0.2.2\r\n\r\n"),
    ("absolute", "GET http://localhost HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    ("chunks in capitals", post + "Transfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n"),
    ("chunk extension", post + "Transfer-Encoding: chunked\r\n\r\n1;a=b\r\nx\r\n0\r\n\r\n"),
    ("empty lines first", "\r\n\r\n" + get("/")),
    ("bytes that are no UTF-8", "GET / HTTP/1.1\r\nHost: localhost\r\nX: \u{E9}\r\n\r\n"),
  ]

  @Test(arguments: accepted)
  func `an unusual but correct request is answered`(what: String, bytes: String) throws {
    let serving = try Serving(["/": .text("hello")], options: Self.options)
    let response = try serving.client(bytes).readResponse()
    #expect(response?.body == "hello", "\(what): \(response?.head ?? "")")
  }

  @Test(arguments: ["/../../etc/passwd", "/%2e%2e/x", "/%zz", "/%", "/a%00b", "//x", "/x?a=%"])
  func `a strange path has no route`(path: String) throws {
    let serving = try Serving(["/": .text("hello")])
    #expect(
      try serving.client(get(path)).readResponse()?.head.hasPrefix("HTTP/1.1 404 ") == true
    )
  }

  @Test func `a request for the server as a whole has no route`() throws {
    let serving = try Serving(["/": .text("hello")])
    let client = try serving.client("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(client.readResponse()?.head.hasPrefix("HTTP/1.1 404 ") == true)
  }

  @Test func `a host name is accepted if the options or a route has it`() throws {
    var options = ServeOptions()
    options.hosts = ["allowed.example"]
    let serving = try Serving(["/": .text("hello")], options: options)
    var route = Route.answering("/there", .text("there"))
    route.pattern.host = "api.example:80"
    serving.routes.add(route)
    for (host, status) in [("allowed.example", 200), ("API.example", 404), ("evil.example", 421)] {
      let path = host == "API.example" ? "/nowhere" : "/"
      let client = try serving.client("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
      #expect(client.readResponse()?.head.hasPrefix("HTTP/1.1 \(status) ") == true, "\(host)")
    }
  }

  @Test func `an error comes after the answers to earlier requests`() throws {
    let serving = try Serving(["/": .text("hello", delay: .milliseconds(30))])
    let client = try serving.client(get("/") + "rubbish\r\n\r\n")
    #expect(client.readResponse()?.body == "hello")
    #expect(client.readToEnd().text.hasPrefix("HTTP/1.1 400 "))
  }

  @Test func `a refused upload gets an answer and no reset`() throws {
    let serving = try Serving(["/": .text("hello")])
    let client = try serving.client(Self.post + "Content-Length: 100000000\r\n\r\n")
    client.send([UInt8](repeating: 0x78, count: 4_000_000))
    let (text, end) = client.readToEnd()
    #expect(text.hasPrefix("HTTP/1.1 413 "))
    #expect(end == .closed)
  }

  @Test(arguments: [
    ("", ""), ("GET / HT", ""), (post + "Content-Length: 5\r\n\r\nhe", "HTTP/1.1 408 "),
  ])
  func `a stalled client is disconnected`(text: String, answer: String) throws {
    var options = ServeOptions()
    options.idleTimeout = .milliseconds(100)
    let serving = try Serving(["/": .text("hello")], options: options)
    let (text, end) = try serving.client(text).readToEnd()
    #expect(text.hasPrefix(answer) && text.isEmpty == answer.isEmpty)
    #expect(end == .closed)
  }

  @Test func `a client that reads nothing is disconnected`() async throws {
    var options = ServeOptions()
    options.idleTimeout = .milliseconds(100)
    let serving = try Serving(["/": .large(20_000_000)], options: options)
    let client = try serving.client(get("/"))
    let ended = try #require(await serving.nextEnded())
    #expect(ended.fate == .cancelled)
    #expect(ended.bytesSent < 20_000_000)
    withExtendedLifetime(client) {}
  }

  @Test func `a slow answer is not a stalled client`() throws {
    var options = ServeOptions()
    options.idleTimeout = .milliseconds(50)
    let serving = try Serving(["/": .text("hello", delay: .milliseconds(200))], options: options)
    #expect(try serving.client(get("/")).readResponse()?.body == "hello")
  }

  @Test func `a half-open connection that does not end is closed`() throws {
    var options = ServeOptions()
    options.farewellTimeout = .milliseconds(50)
    let serving = try Serving(["/": .fault(.empty)], options: options)
    let client = try serving.client(get("/"))
    #expect(client.readToEnd() == ("", .closed))
    // Sending to a closed socket is answered with a reset.
    while client.send(get("/")) > 0 { _ = client.isQuiet(for: .milliseconds(5)) }
  }

  @Test func `too many bodies at the same time are refused`() throws {
    var options = ServeOptions()
    options.bodiesLimitInBytes = 1_000
    let serving = try Serving(["/": .text("hello")], options: options)
    let head = Self.post + "Content-Length: 600\r\n\r\n"
    let body = String(repeating: "x", count: 599)
    let first = try serving.client(head + body)
    #expect(first.isQuiet(for: .milliseconds(30)))
    #expect(try serving.client(head + body).readToEnd().text.hasPrefix("HTTP/1.1 503 "))
    first.send("x")
    #expect(first.readResponse()?.body == "hello")
    #expect(try serving.client(head + body + "x").readResponse()?.body == "hello")
  }

  @Test func `a connection beyond the limit is closed, and a freed place is used`() throws {
    var options = ServeOptions()
    options.connectionLimit = 2
    let serving = try Serving(["/": .text("hello")], options: options)
    let first = try serving.client(get("/"))
    let second = try serving.client(get("/", "Connection: close"))
    #expect(first.readResponse()?.body == "hello")
    #expect(try serving.client(get("/")).readResponse() == nil)
    #expect(second.readToEnd().end == .closed)
  }

  @Test func `a thousand connections at once are all answered`() throws {
    let serving = try Serving(["/": .text("hello")])
    let clients = try (0..<1_000).map { _ in try serving.client() }
    for client in clients { client.send(get("/")) }
    for client in clients { try #require(client.readResponse()?.body == "hello") }
  }

  @Test func `unread requests stay with the client`() throws {
    let serving = try Serving(["/": .fault(.never)])
    let client = try serving.client()
    let flood = [UInt8](String(repeating: get("/"), count: 1_000_000).utf8)
    #expect(client.send(flood, patience: .milliseconds(200)) < flood.count / 2)
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `after any bytes the next client is served`(seed: UInt64) throws {
    var options = ServeOptions()
    options.idleTimeout = .seconds(2)
    let serving = try Serving(["/": .text("hello")], options: options)
    var random = SplitMix(state: seed)
    let seeds = Self.attempts.filter { $0.bytes.utf8.count < 1_000 }.map(\.bytes)
    for _ in 0..<100 {
      guard let text = seeds.randomElement(using: &random) else { break }
      let client = try serving.client()
      client.send(Self.mutated(text + get("/"), &random))
      if Bool.random(using: &random) { client.finishSending() }
      if Bool.random(using: &random) { _ = client.isQuiet(for: .milliseconds(1)) }
    }
    #expect(try serving.client(get("/")).readResponse()?.body == "hello", "seed \(seed)")
  }

  private static func mutated(_ text: String, _ random: inout SplitMix) -> [UInt8] {
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      guard let place = bytes.indices.randomElement(using: &random) else { break }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] = .random(in: 0...255, using: &random)
      case 1: bytes.insert(.random(in: 0...255, using: &random), at: place)
      case 2: bytes.insert(contentsOf: bytes[..<place], at: place)
      default: bytes.removeSubrange(place..<min(bytes.count, place + 9))
      }
    }
    return bytes
  }
}

/// Pseudorandom numbers, the same in every run.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
