import HTTPTypes
import MockHTTP
import RehearsalBase
import RemoteLoading
import Script
import Staging

/// HTTP of a session: its routes and its server, the host of requests that name none, and which hosts are allowed.
@MainActor final class SessionHTTP {
  let server: MockServer
  private let outside: OutsideQueue
  /// Named requests, in the order of declaration.
  var endpoints: [(name: String, spec: RequestSpec)] = []
  /// The files that this session wrote routes to. It may replace them.
  var writtenFiles: Set<String> = []
  private let network: SessionNetwork
  private var allowedHosts: [String]
  private lazy var outsideTransport: (any OutsideTransport)? = {
    let transport = network.makeTransport?()
    for host in allowedHosts { transport?.allow(host) }
    return transport
  }()
  /// The server of the routes on a socket; nil while there is none.
  private(set) var socket: (server: any RouteServer, port: Int)?
  private let stage: Stage

  let recorder: RequestRecorder

  /// Creates the HTTP of a session. The recorder notes the requests in memory.
  init(
    stage: Stage,
    network: SessionNetwork,
    seed: UInt64,
    recorder: RequestRecorder,
    outside: OutsideQueue
  ) {
    self.recorder = recorder
    server = MockServer(
      seed: seed,
      logLimit: 10_000,
      observer: recorder.observer
    )
    self.stage = stage
    self.network = network
    allowedHosts = network.allowedHosts.map { $0.lowercased() }
    self.outside = outside
  }

  func end() {
    stopServing()
    server.close()
  }

  // MARK: Requests

  /// Returns the mock in memory, with the routes for one member.
  func transport(for member: String) -> MockTransport<StageClock> {
    MockTransport(server: server, clock: stage.clock, beginning: .start, scope: member)
  }

  /// Sends a request and returns a successful response.
  ///
  /// Virtual time stands still during a request over a socket, so the load's `deadline` cannot
  /// come. There it limits the real time without any bytes instead.
  /// - Throws: `RemoteError`, or `CancellationError` if the task is cancelled.
  func fetch(
    _ spec: RequestSpec,
    by member: String,
    deadline: Duration?,
    progress: (TransferProgress) -> Void
  ) async throws -> RemoteResponse {
    if answersInMemory(spec) {
      let client = RemoteClient(transport(for: member))
      return try await client.fetch(spec.request(to: spec.origin ?? Self.here), progress: progress)
    }
    let origin = spec.origin ?? .init(scheme: "http", host: "127.0.0.1:\(socket?.port ?? 0)")
    guard let transport = outsideTransport else { throw RemoteError.transport(.offline) }
    let request = spec.request(to: origin, member: spec.origin == nil ? member : nil)
    let server = socket?.server
    return try await outside.perform {
      defer { server?.catchUp() }
      guard let deadline else { return try await RemoteClient(transport).fetch(request) }
      let impatient = ImpatientTransport(transport: transport, idleTime: deadline)
      return try await RemoteClient(impatient).fetch(request)
    }
  }

  /// The origin of requests that name no host.
  private static let here = RequestSpec.Origin(scheme: "http", host: "localhost")

  /// Whether the routes in memory answer a request: it names no host, or the host of a route.
  private func answersInMemory(_ spec: RequestSpec) -> Bool {
    if spec.isOverSocket { return false }
    guard let origin = spec.origin else { return true }
    return server.hasRoute(to: origin.host, scheme: origin.scheme)
  }

  /// Throws an error if the request cannot be sent.
  func check(_ spec: RequestSpec, at span: Range<Int>) throws(Diagnostic) {
    if spec.isOverSocket, spec.origin == nil, socket == nil {
      throw Diagnostic(.notServing, at: span, hint: "'serve' serves the routes on a socket")
    }
    guard !answersInMemory(spec) else { return }
    let route = spec.origin.map {
      "'route \(($0.text + spec.path).printable(atMost: 80)) 200' answers it in memory"
    }
    guard network.makeTransport != nil else {
      throw Diagnostic(
        .noNetwork,
        at: span,
        hint: route ?? "the routes in memory answer a path without a host"
      )
    }
    guard let host = spec.origin?.name, !isAllowed(host) else { return }
    throw Diagnostic(
      .hostNotAllowed(host),
      at: span,
      hint: (network.canAllow
        ? "'allow network \(host)' allows it" : "start with '--allow-network \(host)'")
        + (route.map { "; \($0)" } ?? "")
    )
  }

  private func isAllowed(_ host: String) -> Bool {
    ["localhost", "127.0.0.1", "[::1]"].contains(host) || allowedHosts.contains(host.lowercased())
  }

  func allow(_ host: Located<String>) throws(Diagnostic) {
    guard network.canAllow else {
      throw Diagnostic(
        .notForFiles("allow"),
        at: host.span,
        hint: "start with '--allow-network \(host.value)'"
      )
    }
    allowedHosts.append(host.value.lowercased())
    // A transport that is created later gets the host then.
    if network.makeTransport != nil { outsideTransport?.allow(host.value) }
  }

  /// Returns the number of requests. With a pattern it counts only requests that are still kept.
  func count(like pattern: RequestPattern?) -> Int {
    pattern.map { server.log.entries(matching: $0).count } ?? server.log.totalCount
  }

  // MARK: Serving

  /// Serves the routes on a socket and returns the port.
  func serve(port: Located<Int>) throws(Diagnostic) -> Int {
    if let socket {
      if port.value == 0 || port.value == socket.port { return socket.port }
      throw Diagnostic(
        .cannotServe("the routes are served on port \(socket.port) already"),
        at: port.span,
        hint: "'serve stop' stops the server"
      )
    }
    guard let make = network.makeServer else {
      throw Diagnostic(.noNetwork, at: port.span, hint: "the routes answer in memory")
    }
    let served = make(server) { [stage] in stage.now.elapsed }
    do throws(CannotServe) {
      let port = try Self.start(served, on: port.value).get()
      socket = (served, port)
      return port
    } catch {
      throw Diagnostic(.cannotServe(error.sentence), at: port.span, hint: error.hint)
    }
  }

  @discardableResult func stopServing() -> Bool {
    guard let server = socket?.server else { return false }
    socket = nil
    Self.stop(server)
    return true
  }

  // The server's own threads and queues are not part of the stage. Outside of the stage, this
  // thread is not that of the main actor.

  nonisolated private static func start(
    _ server: any RouteServer,
    on port: Int
  ) -> Result<Int, CannotServe> {
    Stage.withoutStage { Result { () throws(CannotServe) in try server.start(port: port) } }
  }

  nonisolated private static func stop(_ server: any RouteServer) {
    Stage.withoutStage { server.stop() }
  }
}

extension RequestSpec {
  /// Returns the request for a host. A request to the routes on a socket names its member.
  fileprivate func request(to origin: Origin, member: String? = nil) -> RemoteRequest {
    var head = HTTPRequest(
      method: method,
      scheme: origin.scheme,
      authority: origin.host,
      path: path
    )
    if let body { head.headerFields[.contentType] = body.contentType }
    if let member { head.headerFields[.rehearseMember] = member }
    for header in headers {
      if let name = HTTPField.Name(header.name) { head.headerFields[name] = header.value }
    }
    return RemoteRequest(head, body: body?.bytes ?? [])
  }
}

extension RequestSpec.Origin {
  /// Returns the host without its port.
  var name: String {
    guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return host }
    return String(host[..<colon])
  }
}
