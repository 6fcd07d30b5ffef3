#if canImport(FoundationNetworking)
import FetchProtocol
import HTTPTypes
import MockHTTP
import MockHTTPServer
import RemoteLoading
import Staging
import Synchronization
import Testing
import URLSessionHTTP

/// One set of routes, served in three ways, with the same results. If one differs, its row says so and why.
@Suite struct ConformanceTests {
  @Test(arguments: Row.faults + Row.answers)
  func `in memory`(row: Row) {
    let outcome = onStage { stage in
      (
        MockTransport(server: row.server, clock: stage.clock, beginning: stage.now),
        row.request(authority: "example.test")
      )
    }
    #expect(outcome == row.memory)
  }

  @Test(arguments: Row.faults + Row.answers)
  func `behind URLSession, on a stage`(row: Row) {
    let outcome = onStage { stage in
      let installation = MockURLProtocol.install(row.server, on: stage)
      let transport = URLSessionTransport(
        limits: .init(idleTime: .seconds(30)),
        protocolClasses: [MockURLProtocol.self]
      )
      return (Kept(transport, installation), row.request(authority: "example.test"))
    }
    #expect(outcome == row.urlSession?.outcome ?? row.memory)
  }

  @Test(arguments: Row.faults + Row.answers)
  func `on a socket, by URLSession`(row: Row) async throws {
    let transport = URLSessionTransport(limits: .init(idleTime: row.patience))
    let outcome = try await onSocket(row, transport)
    #expect(outcome == row.socket?.outcome ?? row.memory)
  }

  @Test(arguments: Row.faults + Row.answers)
  func `on a socket, by the helper`(row: Row) async throws {
    let client = FetchClient(limits: TransferLimits(idleTime: row.patience))
    let outcome = try await onSocket(row, client)
    #expect(outcome == row.socket?.outcome ?? row.memory)
  }

  @Test(
    arguments: Row.faults.filter { ["reset", "empty", "garbage"].contains($0.name) },
    ["", "1"]
  )
  func `on a connection that was used before, with a body and without`(
    row: Row,
    body: String
  ) async throws {
    let transports: [any HTTPTransport] = [
      URLSessionTransport(limits: .init(idleTime: .seconds(10))),
      FetchClient(limits: TransferLimits(idleTime: .seconds(10))),
    ]
    for transport in transports {
      let outcome = try await onSocket(row, transport, after: "/before", body: Array(body.utf8))
      #expect(outcome == row.memory)
    }
  }

  // MARK: Clients

  /// Returns the result of a request on a stage, after waiting until nothing more can arrive.
  private func onStage<T: HTTPTransport>(
    _ make: (Stage) -> (T, RemoteRequest)
  ) -> Outcome {
    let stage = Stage()
    let (transport, request) = make(stage)
    let outcome = Box<Outcome>()
    try? stage.run { outcome.value = await Self.outcome(of: request, transport) }
    let result = outcome.value ?? .silence
    stage.close()
    return result
  }

  /// Returns the result of a request; `before` is sent first on the same connection.
  private func onSocket(
    _ row: Row,
    _ transport: some HTTPTransport,
    after before: String? = nil,
    body: [UInt8] = []
  ) async throws -> Outcome {
    let socket = MockHTTPServer(row.server)
    let port = try socket.start()
    defer { socket.stop() }
    var request = row.request(authority: "127.0.0.1:\(port)")
    if let before {
      var first = request
      first.head.path = before
      _ = try await transport.send(first) { _ in }
    }
    request.body = body
    if !body.isEmpty { request.head.method = .post }
    let outcome = await Self.outcome(of: request, transport)
    // The answer for a missing route depends on the server.
    if row.isUnrouted, case .response(let status, _, _) = outcome {
      return .response(status, fields: [:], body: [])
    }
    return outcome
  }

  private static func outcome(
    of request: RemoteRequest,
    _ transport: some HTTPTransport
  ) async -> Outcome {
    do {
      return Outcome(try await transport.send(request) { _ in })
    } catch let error as TransportError {
      if case .unmatched = error { return .error(.unmatched(request: "", nearest: nil)) }
      return .error(error)
    } catch {
      return .silence
    }
  }
}

/// A transport, and the objects that must live as long as it.
private struct Kept: HTTPTransport {
  private let transport: URLSessionTransport
  private let installation: MockURLProtocol.Installation

  init(_ transport: URLSessionTransport, _ installation: MockURLProtocol.Installation) {
    self.transport = transport
    self.installation = installation
  }

  func send(
    _ request: RemoteRequest,
    progress: (TransferProgress) -> Void
  ) async throws -> RemoteResponse {
    try await transport.send(request, progress: progress)
  }
}

private final class Box<Value: Sendable>: Sendable {
  private let storage = Mutex<Value?>(nil)

  var value: Value? {
    get { storage.withLock { $0 } }
    set { storage.withLock { $0 = newValue } }
  }
}

extension Row {
  /// The waiting time of a client in real time: short only if nothing arrives.
  var patience: Duration { memory == .silence ? .seconds(1) : .seconds(30) }

  var isUnrouted: Bool { name == "no route" }

  var server: MockServer {
    let server = MockServer()
    server.add(
      Route(RequestPattern(path: PathTemplate(segments: [.literal("before")])), answers: [200])
    )
    if !isUnrouted {
      server.add(
        Route(RequestPattern(path: PathTemplate(segments: [.literal("a")])), answers: [answer])
      )
    }
    return server
  }

  func request(authority: String) -> RemoteRequest {
    RemoteRequest(HTTPRequest(method: method, scheme: "http", authority: authority, path: "/a"))
  }
}
#endif
