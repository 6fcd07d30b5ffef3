import MockHTTP
import MockHTTPServer
import Testing

@Suite(.timeLimit(.minutes(1))) struct ServingTests {
  @Test func `a request gets its answer, with the same bytes each time`() throws {
    let serving = try Serving(["/posts": .text("hello")])
    let client = try serving.client(get("/posts"))
    let first = client.readResponse()
    client.send(get("/posts"))
    let second = client.readResponse()
    #expect(first?.body == "hello")
    #expect(first?.head.hasPrefix("HTTP/1.1 200 OK\r\n") == true)
    #expect(first?.head == second?.head)
  }

  @Test func `pipelined requests are answered in order`() throws {
    let serving = try Serving([
      "/slow": .text("slow", delay: .milliseconds(30)), "/fast": .text("fast"),
    ])
    let client = try serving.client(get("/slow") + get("/fast") + get("/slow"))
    let bodies = (0..<3).map { _ in client.readResponse()?.body }
    #expect(bodies == ["slow", "fast", "slow"])
  }

  @Test func `a thousand pipelined requests are all answered`() throws {
    let serving = try Serving(["/": .text("x")])
    let client = try serving.client()
    client.send(String(repeating: get("/"), count: 1_000))
    for _ in 0..<1_000 { try #require(client.readResponse()?.body == "x") }
  }

  @Test func `HEAD gets only the head, and the connection stays open`() throws {
    let serving = try Serving(["/": .text("hello")])
    let client = try serving.client("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n" + get("/"))
    let head = client.read(through: "\r\n\r\n")
    #expect(head?.contains("Content-Length: 5\r\n") == true)
    #expect(client.readResponse()?.body == "hello")
  }

  @Test(arguments: [204, 304])
  func `an answer that cannot have a body has no length`(status: Int) throws {
    let serving = try Serving(["/": .status(status)])
    let client = try serving.client(get("/") + get("/"))
    for _ in 0..<2 {
      let head = try #require(client.read(through: "\r\n\r\n"))
      #expect(head.hasPrefix("HTTP/1.1 \(status) "))
      #expect(!head.contains("Content-Length"))
    }
  }

  @Test func `a chunked body ends with an empty chunk, and the connection stays open`() throws {
    let serving = try Serving(["/": .text("hello", isChunked: true)])
    let client = try serving.client(get("/") + get("/"))
    for _ in 0..<2 {
      let text = try #require(client.read(through: "\r\n0\r\n\r\n"))
      #expect(text.contains("Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"))
      #expect(!text.contains("Content-Length"))
    }
  }

  @Test func `an empty chunked body is one empty chunk`() throws {
    let serving = try Serving(["/": .text("", isChunked: true)])
    let text = try serving.client(get("/", "Connection: close")).readToEnd().text
    #expect(text.hasSuffix("\r\n\r\n0\r\n\r\n"))
  }

  @Test func `an HTTP 1 0 client gets no chunks, and an end`() throws {
    let serving = try Serving(["/": .text("hello", isChunked: true)])
    let (text, end) = try serving.client("GET / HTTP/1.0\r\n\r\n").readToEnd()
    #expect(!text.contains("chunked"))
    #expect(text.hasSuffix("\r\n\r\nhello"))
    #expect(end == .closed)
  }

  @Test func `an HTTP 1 0 client can keep its connection`() throws {
    let serving = try Serving(["/": .text("hello")])
    let request = "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
    let client = try serving.client(request + request)
    #expect(client.readResponse()?.head.contains("Connection: keep-alive\r\n") == true)
    #expect(client.readResponse()?.body == "hello")
  }

  @Test func `the connection ends after a request that asks for it`() throws {
    let serving = try Serving(["/": .text("hello")])
    let (text, end) = try serving.client(get("/", "Connection: close") + get("/")).readToEnd()
    #expect(text.contains("Connection: close\r\n"))
    #expect(text.hasSuffix("hello"))
    #expect(end == .closed)
  }

  @Test func `an upgrade request is answered normally, and the connection ends`()
    throws
  {
    let serving = try Serving(["/": .text("hello")])
    let request = get("/", "Connection: Upgrade", "Upgrade: websocket")
    let (text, end) = try serving.client(request).readToEnd()
    #expect(text.hasPrefix("HTTP/1.1 200 "))
    #expect(end == .closed)
  }

  @Test func `a chunked body arrives complete`() throws {
    let serving = try Serving(["/": .text("ok")])
    let client = try serving.client("POST / HTTP/1.1\r\nHost: localhost\r\n")
    client.send("Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
    #expect(client.isQuiet(for: .milliseconds(20)))
    client.send("6;x=y\r\n world\r\n0\r\nTrailer: t\r\n\r\n")
    #expect(client.readResponse()?.body == "ok")
  }

  @Test func `a client that waits for 100 Continue gets it`() throws {
    let serving = try Serving(["/": .text("ok")])
    let client = try serving.client(
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
    )
    #expect(client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
    client.send("hello")
    #expect(client.readResponse()?.body == "ok")
  }

  @Test func `100 Continue comes after the answers to earlier requests`() throws {
    let serving = try Serving(["/slow": .text("slow", delay: .milliseconds(30)), "/": .text("ok")])
    let client = try serving.client(
      get("/slow")
        + "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
    )
    #expect(client.readResponse()?.body == "slow")
    #expect(client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
    client.send("hello")
    #expect(client.readResponse()?.body == "ok")
  }

  @Test func `a delay passes before the first byte`() async throws {
    let serving = try Serving(["/": .text("hello", delay: .milliseconds(50))])
    let client = try serving.client(get("/"))
    #expect(client.isQuiet(for: .milliseconds(25)))
    #expect(client.readResponse()?.body == "hello")
    #expect(try #require(await serving.nextEnded()).duration >= .milliseconds(50))
  }

  @Test func `observers get real time, whatever time the log has`() async throws {
    let serving = try Serving(
      ["/": .text("hello", delay: .milliseconds(50))],
      now: { .seconds(7) }
    )
    _ = try serving.client(get("/")).readResponse()
    #expect(try #require(await serving.nextEnded()).duration >= .milliseconds(50))
    #expect(serving.lastEntry?.ended == .seconds(7))
  }

  @Test func `a body drips in its pieces`() async throws {
    let pace = ScriptedAnswer.Pace.drip(pieces: 5, over: .milliseconds(100))
    let serving = try Serving(["/": .text("0123456789", pace: pace)])
    let client = try serving.client(get("/"))
    #expect(client.read(through: "\r\n\r\n") != nil)
    for piece in ["01", "23", "45", "67", "89"] {
      #expect(client.read(through: piece) == piece)
    }
    #expect(try #require(await serving.nextEnded()).duration >= .milliseconds(100))
  }

  @Test func `each piece of a chunked dripping body is a chunk`() throws {
    let pace = ScriptedAnswer.Pace.drip(pieces: 2, over: .milliseconds(20))
    let serving = try Serving(["/": .text("abcd", isChunked: true, pace: pace)])
    let text = try serving.client(get("/", "Connection: close")).readToEnd().text
    #expect(text.hasSuffix("\r\n\r\n2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n"))
  }

  @Test func `an answer is held until it is released`() throws {
    let serving = try Serving(["/": .text("hello")])
    serving.routes.hold(RequestPattern(path: PathTemplate(segments: [])))
    let client = try serving.client(get("/"))
    #expect(client.isQuiet(for: .milliseconds(30)))
    #expect(serving.lastEntry?.fate == .held)
    #expect(serving.routes.release() == 1)
    #expect(client.readResponse()?.body == "hello")
  }

  @Test func `an answer can be held after its request arrived`() throws {
    let serving = try Serving(["/": .text("hello", delay: .milliseconds(50))])
    let client = try serving.client(get("/"))
    #expect(client.isQuiet(for: .milliseconds(10)))
    serving.routes.hold(RequestPattern(path: PathTemplate(segments: [])))
    #expect(client.isQuiet(for: .milliseconds(80)))
    serving.routes.release()
    #expect(client.readResponse()?.body == "hello")
  }

  @Test func `HEAD of a chunked body has no length`() throws {
    let serving = try Serving(["/": .text("hello", isChunked: true)])
    let client = try serving.client("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n" + get("/"))
    #expect(client.read(through: "\r\n\r\n")?.contains("Content-Length") == false)
    #expect(client.read(through: "\r\n0\r\n\r\n")?.hasPrefix("HTTP/1.1 200 OK\r\n") == true)
  }

  @Test func `a body of 10 MB arrives complete`() async throws {
    let serving = try Serving(["/": .large(10_000_000)])
    let client = try serving.client(get("/", "Connection: close"))
    #expect(client.read(through: "\r\n\r\n") != nil)
    let (text, end) = client.readToEnd()
    #expect(text.utf8.count == 10_000_000)
    #expect(end == .closed)
    #expect(await serving.nextEnded()?.bytesSent == 10_000_000)
  }

  @Test func `a request without a route gets a message`() async throws {
    let serving = try Serving(["/posts": .text("hello")])
    let response = try #require(try serving.client(get("/pots?q=1")).readResponse())
    #expect(response.head.hasPrefix("HTTP/1.1 404 "))
    #expect(response.head.contains("Rehearse-Unmatched: true\r\n"))
    #expect(response.body.hasPrefix("No route answers GET /pots"))
    #expect(await serving.nextEnded()?.fate == .unmatched)
  }
}
