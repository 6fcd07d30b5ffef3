import HTTPTypes
import MockHTTP
import RemoteLoading
import Script
import Staging

/// HTTP in a session: its routes, who serves them, and which way out there is.
@MainActor final class SessionHTTP {
  let server: MockServer
  private let outside: OutsideQueue
  /// Requests with a name, in the order in which they were declared.
  var endpoints: [(name: String, spec: RequestSpec)] = []
  /// The files that routes were written to; they may be written again.
  var writtenFiles: Set<String> = []
  private let network: SessionNetwork
  private var allowedHosts: [String]
  private lazy var outsideTransport: (any OutsideTransport)? = {
    let transport = network.makeTransport?()
    for host in allowedHosts { transport?.allow(host) }
    return transport
  }()
  /// The routes on a socket, while they are.
  private(set) var socket: (server: any RouteServer, port: Int)?
  private let stage: Stage

  let recorder: RequestRecorder

  /// HTTP of a session, whose recorder takes down what becomes of requests in memory.
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

  // MARK: Asking

  /// The mock in memory, as a member sees it.
  func transport(for member: String) -> MockTransport<StageClock> {
    MockTransport(server: server, clock: stage.clock, beginning: .start, scope: member)
  }

  /// Sends a request the way that it says, and brings back a response of success.
  ///
  /// Virtual time stands still while a socket is waited for, so a load's own `deadline` would never come:
  /// there it bounds how long nothing may come, in real time.
  /// - Throws: `RemoteError`, or `CancellationError` when the task is cancelled.
  func fetch(
    _ spec: RequestSpec,
    by member: String,
    deadline: Duration?,
    progress: (TransferProgress) -> Void
  ) async throws -> RemoteResponse {
    if spec.origin == nil, !spec.isOverSocket {
      let client = RemoteClient(transport(for: member))
      return try await client.fetch(spec.request(to: Self.here), progress: progress)
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

  /// Where requests go that name no host.
  private static let here = RequestSpec.Origin(scheme: "http", host: "localhost")

  /// Refuses a request that cannot even be sent.
  func check(_ spec: RequestSpec, at span: Range<Int>) throws(Diagnostic) {
    if spec.isOverSocket, spec.origin == nil, socket == nil {
      throw Diagnostic(.notServing, at: span, hint: "'serve' puts the routes on a socket")
    }
    guard spec.isOverSocket || spec.origin != nil else { return }
    guard network.makeTransport != nil else {
      throw Diagnostic(
        .noNetwork,
        at: span,
        hint: "a path alone is answered by the routes in memory"
      )
    }
    guard let host = spec.origin?.name, !isAllowed(host) else { return }
    throw Diagnostic(
      .hostNotAllowed(host),
      at: span,
      hint: network.canAllow
        ? "'allow network \(host)' allows it" : "start with '--allow-network \(host)'"
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
    // One that is not made yet is told when it is.
    if network.makeTransport != nil { outsideTransport?.allow(host.value) }
  }

  /// How many requests there were; of a pattern's, as far as they are kept.
  func count(like pattern: RequestPattern?) -> Int {
    pattern.map { server.log.entries(matching: $0).count } ?? server.log.totalCount
  }

  // MARK: Serving

  /// Puts the routes on a socket, and returns the port.
  func serve(port: Located<Int>) throws(Diagnostic) -> Int {
    if let socket {
      if port.value == 0 || port.value == socket.port { return socket.port }
      throw Diagnostic(
        .cannotServe("the routes are served on port \(socket.port) already"),
        at: port.span,
        hint: "'serve stop' ends that"
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

  // A stage does not note the server's own threads and queues. Outside of the stage this thread is not the main
  // actor's.

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
  /// The request as it is sent to a host; to the routes on a socket it says who asks.
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
  /// The host without its port.
  var name: String {
    guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return host }
    return String(host[..<colon])
  }
}
