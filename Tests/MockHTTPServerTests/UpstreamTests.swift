import HTTPTypes
import MockHTTP
import MockHTTPServer
import RemoteLoading
import Synchronization
import Testing

/// Requests that are forwarded to another server, a transport in memory.
@Suite(.timeLimit(.minutes(1))) struct UpstreamTests {
  @Test func `a request is forwarded, and its response is answered and recorded`()
    async throws
  {
    let routes = MockServer()
    routes.add(.answering("/api/posts", .text("hello")))
    let record = Record()
    let proxy = try Proxy("http://other.example:8080/api/", asking: routes, record)
    let client = try RawClient(port: proxy.port)
    client.send(get("/posts", "X-A: 1", "Connection: keep-alive", "Keep-Alive: 5"))
    #expect(await client.awaitResponse()?.body == "hello")
    let request = try #require(record.sent.withLock { $0.first })
    #expect(request.head.authority == "other.example:8080")
    #expect(request.head.path == "/api/posts")
    #expect(request.head.headerFields.map(\.name.canonicalName) == ["x-a", "accept-encoding"])
    let exchange = try #require(record.exchanges.withLock { $0.first })
    #expect(exchange.request.head.path == "/posts")
    guard case .response(let response) = exchange.outcome else {
      Issue.record("\(exchange.outcome)")
      return
    }
    #expect(response.body == Array("hello".utf8))
  }

  @Test(arguments: [
    ("99", TransportError.truncated), ("99999999999999999999", .malformed), ("twelve", .malformed),
  ])
  func `a response with a wrong length is an error and is not recorded`(
    length: String,
    error: TransportError
  ) async throws {
    let routes = MockServer()
    routes.add(.answering("/", .text("123").header("Content-Length", length)))
    let record = Record()
    let proxy = try Proxy("http://other.example", asking: routes, record)
    let client = try RawClient(port: proxy.port)
    client.send(get("/"))
    #expect(await client.awaitResponse()?.head.hasPrefix("HTTP/1.1 502") == true)
    guard case .failure(error)? = record.exchanges.withLock({ $0.first })?.outcome else {
      Issue.record("an answer was written down")
      return
    }
  }

  @Test(arguments: [
    ("a=1, b=2", ["a=1", "b=2"]), ("a=1,b=2; Path=/", ["a=1", "b=2; Path=/"]),
    (
      "a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT; Path=/, b=2; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
      [
        "a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT; Path=/",
        "b=2; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
      ]
    ),
    ("a=x,y", ["a=x,y"]), ("a=1,", ["a=1,"]),
  ])
  func `cookies that a transport joined are separated`(
    field: String,
    cookies: [String]
  ) async throws {
    let routes = MockServer()
    routes.add(.answering("/", .status(200).header("Set-Cookie", field)))
    let record = Record()
    let proxy = try Proxy("http://other.example", asking: routes, record)
    let client = try RawClient(port: proxy.port)
    client.send(get("/"))
    let head = try #require(await client.awaitResponse()?.head)
    for cookie in cookies { #expect(head.contains("\r\nSet-Cookie: \(cookie)\r\n"), "\(head)") }
    guard case .response(let response)? = record.exchanges.withLock({ $0.first })?.outcome else {
      Issue.record("nothing was written down")
      return
    }
    #expect(response.head.headerFields[values: .setCookie] == cookies)
  }

  @Test(arguments: [(Fault.refused, 502), (.reset, 502), (.garbage, 502)])
  func `a failure is answered and recorded`(fault: Fault, status: Int) async throws {
    let routes = MockServer()
    routes.add(.answering("/", .fault(fault)))
    let record = Record()
    let proxy = try Proxy("http://other.example", asking: routes, record)
    let client = try RawClient(port: proxy.port)
    client.send(get("/"))
    #expect(await client.awaitResponse()?.head.hasPrefix("HTTP/1.1 \(status) ") == true)
    let exchange = try #require(record.exchanges.withLock { $0.first })
    let error = try #require(fault.error)
    #expect(exchange.outcome == .failure(error))
  }

  @Test func `a client that leaves cancels the forwarded request`() async throws {
    let routes = MockServer()
    routes.add(.answering("/", .fault(.never)))
    let record = Record()
    let proxy = try Proxy("http://other.example", asking: routes, record)
    var client: RawClient? = try RawClient(port: proxy.port)
    client?.send(get("/"))
    #expect(client?.isQuiet(for: .milliseconds(50)) == true)
    client = nil
    for await isCancelled in record.ends {
      #expect(isCancelled)
      break
    }
    #expect(record.exchanges.withLock { $0.isEmpty })
  }

  @Test(arguments: ["", "localhost", "ftp://localhost", "http://", "http://u@h", "http://h?q"])
  func `an invalid server URL is rejected`(url: String) {
    #expect(Upstream(url, transport: Record().transport(to: MockServer())) { _ in } == nil)
  }
}

/// The traffic of a proxy.
private final class Record: Sendable {
  let sent = Mutex<[RemoteRequest]>([])
  let exchanges = Mutex<[RecordedExchange]>([])
  /// For each ended request, whether it was cancelled.
  let ends: AsyncStream<Bool>
  private let end: AsyncStream<Bool>.Continuation

  init() {
    (ends, end) = AsyncStream.makeStream()
  }

  func transport(to routes: MockServer) -> some HTTPTransport {
    Watched(
      transport: MockTransport(server: routes, clock: ContinuousClock(), beginning: .now),
      record: self
    )
  }

  private struct Watched<T: HTTPTransport>: HTTPTransport {
    let transport: T
    let record: Record

    func send(
      _ request: RemoteRequest,
      progress: (TransferProgress) -> Void
    ) async throws -> RemoteResponse {
      record.sent.withLock { $0.append(request) }
      defer { record.end.yield(Task.isCancelled) }
      return try await transport.send(request, progress: progress)
    }
  }
}

private final class Proxy {
  let port: Int
  private let server: MockHTTPServer

  init(_ url: String, asking routes: MockServer, _ record: Record) throws {
    let upstream = try #require(
      Upstream(url, transport: record.transport(to: routes)) { exchange in
        record.exchanges.withLock { $0.append(exchange) }
      }
    )
    server = MockHTTPServer(upstream: upstream)
    port = try server.start()
  }

  deinit { server.stop() }
}
