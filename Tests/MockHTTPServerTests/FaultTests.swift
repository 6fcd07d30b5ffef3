import LibC
import MockHTTP
import MockHTTPServer
import Testing

@Suite(.timeLimit(.minutes(1))) struct FaultTests {
  @Test(arguments: [Fault.refused, .reset, .tls])
  func `a reset is a reset, without a byte`(fault: Fault) async throws {
    let serving = try Serving(["/": .fault(fault)])
    let client = try serving.client(get("/"))
    #expect(client.readToEnd() == ("", .failed(ECONNRESET)))
    #expect(await serving.nextEnded()?.fate == .failed)
  }

  @Test func `an empty reply is an end without a byte`() async throws {
    let serving = try Serving(["/": .fault(.empty)])
    let client = try serving.client(get("/"))
    #expect(client.readToEnd() == ("", .closed))
    #expect(await serving.nextEnded()?.problem == "empty")
  }

  @Test func `an empty reply is no reset, even if the client is still sending`() throws {
    let serving = try Serving(["/": .fault(.empty)])
    let client = try serving.client(get("/") + get("/") + get("/"))
    #expect(client.readToEnd() == ("", .closed))
  }

  @Test func `garbage is not HTTP, and the connection ends`() throws {
    let serving = try Serving(["/": .fault(.garbage)])
    let client = try serving.client(get("/"))
    let (text, end) = client.readToEnd()
    #expect(text.hasSuffix("garbage\r\n\r\n") && !text.contains("HTTP"))
    #expect(end == .closed)
  }

  @Test func `without an answer the connection stays open until the client leaves`() async throws {
    let serving = try Serving(["/": .fault(.never)])
    var client: RawClient? = try serving.client(get("/"))
    #expect(client?.isQuiet(for: .milliseconds(50)) == true)
    client = nil
    let ended = await serving.nextEnded()
    #expect(ended?.fate == .cancelled)
    #expect(ended?.problem == "never")
  }

  @Test func `without an answer the connection ends when the server stops`() throws {
    let serving = try Serving(["/": .fault(.never)])
    let client = try serving.client(get("/"))
    #expect(client.isQuiet(for: .milliseconds(50)))
    serving.server.stop()
    #expect(client.readToEnd().end != .open)
  }

  @Test func `a reset inside a body comes after the bytes before it`() async throws {
    let serving = try Serving(["/": .text("0123456789", ending: .reset(afterBytes: 4))])
    let client = try serving.client(get("/"))
    let (text, end) = client.readToEnd()
    #expect(text.contains("Content-Length: 10\r\n"))
    #expect(text.hasSuffix("\r\n\r\n0123"))
    #expect(end == .failed(ECONNRESET))
    let ended = await serving.nextEnded()
    #expect(ended?.bytesSent == 4)
    #expect(ended?.problem == "reset after 4 B")
  }

  @Test func `a reset waits for a slow client`() throws {
    let count = 8_000_000
    let serving = try Serving(["/": .large(count + 1, ending: .reset(afterBytes: count))])
    let client = try serving.client(get("/"))
    #expect(client.read(through: "\r\n\r\n") != nil)
    let (text, end) = client.readToEnd()
    #expect(text.utf8.count == count)
    #expect(end == .failed(ECONNRESET))
  }

  @Test func `a truncated body ends before its announced end`() throws {
    let serving = try Serving(["/": .text("0123456789", ending: .closed(afterBytes: 4))])
    let (text, end) = try serving.client(get("/")).readToEnd()
    #expect(text.contains("Content-Length: 10\r\n"))
    #expect(text.hasSuffix("\r\n\r\n0123"))
    #expect(end == .closed)
  }

  @Test func `truncated chunks have no last one`() throws {
    let answer = ScriptedAnswer.text("0123456789", ending: .closed(afterBytes: 4), isChunked: true)
    let serving = try Serving(["/": answer])
    let (text, end) = try serving.client(get("/")).readToEnd()
    #expect(text.hasSuffix("\r\n\r\n4\r\n0123\r\n"))
    #expect(end == .closed)
  }

  @Test func `a silent body keeps the connection open`() async throws {
    let serving = try Serving(["/": .text("0123456789", ending: .silent(afterBytes: 4))])
    var client: RawClient? = try serving.client(get("/"))
    #expect(client?.read(through: "\r\n\r\n0123") != nil)
    #expect(client?.isQuiet(for: .milliseconds(50)) == true)
    client = nil
    #expect(await serving.nextEnded()?.fate == .cancelled)
  }

  @Test(arguments: [4, 20])
  func `the head announces the length of the route`(length: Int) throws {
    let serving = try Serving(["/": .text("0123456789", ending: .claiming(bytes: length))])
    let (text, end) = try serving.client(get("/")).readToEnd()
    #expect(text.contains("Content-Length: \(length)\r\n"))
    #expect(text.hasSuffix("\r\n\r\n0123456789"))
    #expect(end == .closed)
  }
}
