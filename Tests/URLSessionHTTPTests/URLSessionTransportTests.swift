import Foundation
import HTTPTypes
import RemoteLoading
import Synchronization
import Testing
import URLSessionHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct URLSessionTransportTests {
  private let transport = URLSessionTransport(limits: .init(bodyBytes: 100_000))

  @Test func `status, fields and body arrive, and progress counts bytes`() async throws {
    let server = try RawServer { _ in
      [.say("HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\nX-A: b\r\n\r\nhello"), .close]
    }
    let progress = Mutex<[TransferProgress]>([])
    let response = try await transport.send(server.request("/a")) { step in
      progress.withLock { $0.append(step) }
    }
    #expect(response.head.status.code == 404)
    #expect(response.head.headerFields[try #require(HTTPField.Name("X-A"))] == "b")
    #expect(response.body == Array("hello".utf8))
    #expect(
      progress.withLock { $0 } == [
        TransferProgress(received: 0, expected: 5, status: 404),
        TransferProgress(received: 5, expected: 5, status: 404),
      ]
    )
  }

  @Test func `method, fields and body are sent`() async throws {
    let server = try RawServer { _ in [.echo, .close] }
    var request = server.request("/in?a=b%20c")
    request.head.method = .put
    request.head.headerFields[.ifMatch] = "tag"
    let body = String(decoding: try await transport.send(request) { _ in }.body, as: UTF8.self)
    #expect(body.hasPrefix("PUT /in?a=b%20c HTTP/1.1\r\n"))
    #expect(body.contains("If-Match: tag\r\n"))
  }

  @Test(arguments: [
    ([RawServer.Step.close], TransportError.empty), ([.reset], .reset),
    ([.say("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .close], .truncated),
    ([.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc"), .close], .truncated),
    ([.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc"), .close], .malformed),
    ([.say("\u{1}\u{2}garbage\r\n\r\n"), .close], .malformed),
    ([.say("HTTP/1.1 abc OK\r\n\r\n"), .close], .malformed),
    ([.say("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nno gzip"), .close], .malformed),
    (
      [
        .say(
          "HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n"
            + String(repeating: "x", count: 150_000)
        ), .hang,
      ], .other("the answer has more than 100000 bytes")
    ),
  ])
  func `a fault has its name in the common vocabulary`(
    steps: [RawServer.Step],
    expected: TransportError
  ) async throws {
    let server = try RawServer { _ in steps }
    await #expect(throws: expected) { try await transport.send(server.request("/")) { _ in } }
  }

  @Test func `a closed port, an unknown host, another scheme`() async throws {
    let gone = try RawServer { _ in [] }
    gone.stop()
    for (address, expected) in [
      ("http://127.0.0.1:\(gone.port)", TransportError.refused),
      ("http://no-such-host.invalid", .unresolved), ("ftp://127.0.0.1", .unsupportedURL),
    ] {
      let parts = address.split(separator: "/")
      let head = HTTPRequest(
        method: .get,
        scheme: String(parts[0].dropLast()),
        authority: String(parts[1]),
        path: "/"
      )
      await #expect(throws: expected) { try await transport.send(RemoteRequest(head)) { _ in } }
    }
  }

  @Test func `an IPv6 address is refused with a message`() async throws {
    let head = HTTPRequest(method: .get, scheme: "http", authority: "[::1]:1", path: "/")
    let error = await #expect(throws: TransportError.self) {
      try await transport.send(RemoteRequest(head)) { _ in }
    }
    #if canImport(FoundationNetworking)
    #expect(error.map { "\($0)".contains("IPv6") } == true)
    #else
    #expect(error == .refused)
    #endif
  }

  @Test(arguments: [nil, "br"])
  func `servers are asked for gzip, unless the request says otherwise`(coding: String?) async throws
  {
    let server = try RawServer { _ in [.echo, .close] }
    var request = server.request("/")
    request.head.headerFields[.acceptEncoding] = coding
    let body = String(decoding: try await transport.send(request) { _ in }.body, as: UTF8.self)
    #expect(body.contains("Accept-Encoding: \(coding ?? "gzip")\r\n"))
  }

  @Test func `silence longer than the idle time is a timeout`() async throws {
    let server = try RawServer { _ in [.hang] }
    let transport = URLSessionTransport(limits: .init(idleTime: .seconds(1)))
    await #expect(throws: TransportError.timedOut) {
      try await transport.send(server.request("/")) { _ in }
    }
  }

  @Test func `redirects and challenges are answers`() async throws {
    let server = try RawServer { path in
      let field = path == "/401" ? "WWW-Authenticate: Basic realm=\"x\"" : "Location: /there"
      return [
        .say("HTTP/1.1 \(path.dropFirst()) X\r\n\(field)\r\nContent-Length: 3\r\n\r\nabc"), .close,
      ]
    }
    for status in [301, 302, 303, 307, 401] {
      let response = try await transport.send(server.request("/\(status)")) { _ in }
      #expect(response.head.status.code == status)
      #expect(response.body == Array("abc".utf8))
    }
  }

  @Test func `cancelling closes the connection, before the head and within the body`() async throws
  {
    let server = try RawServer { path in
      path == "/head" ? [.say("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .hang] : [.hang]
    }
    for (number, path) in ["/head", "/nothing"].enumerated() {
      let (begun, begin) = AsyncStream.makeStream(of: Void.self)
      let task = Task { [transport] in
        if path == "/nothing" { begin.yield() }
        return try await transport.send(server.request(path)) { _ in begin.yield() }
      }
      for await _ in begun { break }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(path == "/nothing" || server.waitForGone(number + 1))
    }
  }

  @Test func `many requests at once each get their own answer`() async throws {
    let server = try RawServer { path in
      [.say("HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)"), .close]
    }
    let bodies = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<100 {
        group.addTask { [transport] in
          let body = try await transport.send(server.request("/\(number)")) { _ in }.body
          return body == Array("/\(number)".utf8)
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(bodies == 100)
  }
}

extension RawServer {
  func request(_ path: String) -> RemoteRequest {
    RemoteRequest(
      HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(port)", path: path)
    )
  }
}
