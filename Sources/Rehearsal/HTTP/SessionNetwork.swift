package import MockHTTP
package import RemoteLoading

/// The network access that a program gives to a session: allowed hosts, real servers, and a server for the routes. The
/// session itself links no socket.
package struct SessionNetwork: Sendable {
  /// Creates a server of routes, whose log takes its times from `now`.
  package typealias ServerMaker =
    @Sendable (MockServer, _ now: @escaping @Sendable () -> Duration) -> any RouteServer

  /// Creates a server for the session's routes; nil without network.
  package var makeServer: ServerMaker?
  /// Creates a transport to real servers; nil without network.
  package var makeTransport: (@Sendable () -> any OutsideTransport)?
  /// The hosts other than this machine that are allowed from the start.
  package var allowedHosts: [String]
  /// Whether the command 'allow' may add hosts: true for users, false for files.
  package var canAllow: Bool

  package init(
    makeServer: ServerMaker? = nil,
    makeTransport: (@Sendable () -> any OutsideTransport)? = nil,
    allowedHosts: [String] = [],
    canAllow: Bool = false
  ) {
    self.makeServer = makeServer
    self.makeTransport = makeTransport
    self.allowedHosts = allowedHosts
    self.canAllow = canAllow
  }

  /// No access: neither requests to servers nor serving.
  package static let none = SessionNetwork()
}

/// A transport to real servers: on this machine, and on allowed hosts.
package protocol OutsideTransport: HTTPTransport {
  /// Allows a host, by its name or address, without a port.
  func allow(_ host: String)
  /// Sends like `send`, and throws `TransportError.timedOut` after `idleTime` of real time without
  /// any bytes.
  func send(
    _ request: RemoteRequest,
    idleTime: Duration,
    progress: (TransferProgress) -> Void
  ) async throws -> RemoteResponse
}

/// A transport with a limit for the time without bytes.
struct ImpatientTransport: HTTPTransport {
  let transport: any OutsideTransport
  let idleTime: Duration

  func send(
    _ request: RemoteRequest,
    progress: (TransferProgress) -> Void
  ) async throws -> RemoteResponse {
    try await transport.send(request, idleTime: idleTime, progress: progress)
  }
}

/// A server of routes on a socket of this machine.
package protocol RouteServer: Sendable {
  /// Listens on 127.0.0.1 and returns the port; uses a free port if `port` is 0.
  func start(port: Int) throws(CannotServe) -> Int
  /// Waits until everything that a client has received is in the log.
  func catchUp()
  /// Closes all connections. Does nothing if the server has not started.
  func stop()
}

/// The reason why a server cannot listen.
package struct CannotServe: Error {
  /// A sentence without a full stop: `port 8080 is in use`.
  package let sentence: String
  package let hint: String

  package init(sentence: String, hint: String) {
    self.sentence = sentence
    self.hint = hint
  }
}
