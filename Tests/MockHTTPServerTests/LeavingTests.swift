import MockHTTP
import MockHTTPServer
import Testing

/// Clients that leave, and clients that only stop sending.
@Suite(.timeLimit(.minutes(1))) struct LeavingTests {
  @Test func `a client that ends its side still reads its answer`() async throws {
    let serving = try Serving(["/": .text("hello", delay: .milliseconds(50))])
    let client = try serving.client(get("/"))
    client.finishSending()
    let (text, end) = client.readToEnd()
    #expect(text.hasSuffix("hello"))
    #expect(end == .closed)
    #expect(await serving.nextEnded()?.fate == .answered)
  }

  @Test
  func `a client that ends its side waits longer than the check for its presence takes`()
    throws
  {
    let serving = try Serving(["/": .text("hello", delay: .milliseconds(2_500))])
    let client = try serving.client(get("/"))
    client.finishSending()
    #expect(client.readToEnd().text.hasSuffix("hello"))
  }

  @Test func `a client that has left is noticed, with the time it left`() async throws {
    let serving = try Serving(["/": .text("hello", delay: .seconds(30))])
    var client: RawClient? = try serving.client(get("/"))
    #expect(client?.isQuiet(for: .milliseconds(50)) == true)
    client = nil
    let ended = try #require(await serving.nextEnded())
    #expect(ended.fate == .cancelled)
    #expect(ended.duration < .seconds(1))
    #expect(serving.lastEntry?.fate == .cancelled)
  }

  @Test func `a client that left shortly before its answer was not answered`() async throws {
    let serving = try Serving(["/": .text("hello", delay: .milliseconds(100))])
    var client: RawClient? = try serving.client(get("/"))
    #expect(client?.isQuiet(for: .milliseconds(20)) == true)
    client = nil
    #expect(await serving.nextEnded()?.fate == .cancelled)
  }

  @Test func `a client that leaves inside a body is noticed`() async throws {
    let pace = ScriptedAnswer.Pace.drip(pieces: 1_000, over: .seconds(20))
    let serving = try Serving(["/": .text(String(repeating: "x", count: 1_000), pace: pace)])
    var client: RawClient? = try serving.client(get("/"))
    #expect(client?.read(through: "\r\n\r\nxxx") != nil)
    client = nil
    let ended = try #require(await serving.nextEnded())
    #expect(ended.fate == .cancelled)
    #expect(ended.bytesSent < 1_000)
  }

  @Test func `a held answer is not sent after its client has left`() async throws {
    let serving = try Serving(["/": .text("hello")])
    serving.routes.hold(RequestPattern(path: PathTemplate(segments: [])))
    var client: RawClient? = try serving.client(get("/"))
    #expect(client?.isQuiet(for: .milliseconds(20)) == true)
    client = nil
    #expect(await serving.nextEnded()?.fate == .cancelled)
    #expect(serving.routes.release() == 0)
  }

  @Test func `a client that leaves while its requests wait is noticed`() async throws {
    let serving = try Serving(["/": .text("hello", delay: .seconds(30))])
    var client: RawClient? = try serving.client()
    client?.send(String(repeating: get("/"), count: 3_000))
    #expect(client?.isQuiet(for: .milliseconds(50)) == true)
    client = nil
    #expect(await serving.nextEnded()?.fate == .cancelled)
    #expect(serving.routes.log.entries.count == 1)
  }
}
