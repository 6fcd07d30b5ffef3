import MockHTTP
import MockHTTPServer
import Testing

/// Logs and answers of refused requests.
@Suite(.timeLimit(.minutes(1))) struct RefusalTests {
  private static let post = "POST /a?b HTTP/1.1\r\nHost: localhost\r\n"

  @Test(arguments: [
    ("GET /a?b HTTP/1.1\r\nHost: evil.example\r\n\r\n", "GET", 421),
    (post + "Content-Length: 99999999999\r\n\r\n", "POST", 413),
    (post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "POST", 501),
    (post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", "POST", 400),
  ])
  func `a refused request has its method and path if its head could be read`(
    bytes: String,
    method: String,
    status: Int
  ) async throws {
    let serving = try Serving()
    let client = try serving.client(bytes)
    let request = await serving.nextEnded()
    #expect(request?.method == method)
    #expect(request?.path == "/a?b")
    #expect(request?.status == status)
    withExtendedLifetime(client) {}
  }

  @Test(arguments: [
    ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "Only HTTP/1.0 and HTTP/1.1 are supported."),
    ("GET / HTTP/1.1\nHost: localhost\n\n", "A line ends in LF alone; HTTP lines end in CR LF."),
    (
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "The end of the request's body is ambiguous."
    ),
  ])
  func `an unreadable request gets a message`(bytes: String, words: String) async throws {
    let serving = try Serving()
    let client = try serving.client(bytes)
    #expect(await serving.nextEnded()?.problem == words)
    withExtendedLifetime(client) {}
  }

  @Test(arguments: [(503, "503 Service Unavailable"), (418, "418 I'm a teapot"), (599, "599 ")])
  func `a status has its phrase if there is one`(status: Int, line: String) async throws {
    let serving = try Serving(["/": .status(status)])
    let client = try serving.client("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let head = try #require(await client.awaitResponse()?.head)
    #expect(head.hasPrefix("HTTP/1.1 \(line)\r\n"), "\(head)")
  }
}
