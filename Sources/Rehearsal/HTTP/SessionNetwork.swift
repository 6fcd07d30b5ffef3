package import MockHTTP
package import RemoteLoading

/// What a session can reach beyond its own memory. The program provides it, so that the session itself
/// links no socket.
package struct SessionNetwork: Sendable {
  /// Makes a server of routes, whose log takes its times from `now`.
  package typealias ServerMaker =
    @Sendable (MockServer, _ now: @escaping @Sendable () -> Duration) -> any RouteServer

  /// Makes a server for the session's routes; nil where there is none.
  package var makeServer: ServerMaker?
  /// Makes the way to real servers; nil where there is none.
  package var makeTransport: (@Sendable () -> any OutsideTransport)?
  /// Hosts that may be reached beyond this machine from the start.
  package var allowedHosts: [String]
  /// Whether the command 'allow' may add to them: for people, not for files.
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

  /// No way out, and nobody gets in.
  package static let none = SessionNetwork()
}

/// The way to real servers: to this machine's, and to the hosts that were allowed.
package protocol OutsideTransport: HTTPTransport {
  /// Allows a host, by its name or address, without a port.
  func allow(_ host: String)
  /// Like `send`, and gives up with `TransportError.timedOut` when nothing has come for `idleTime`, in real
  /// time.
  func send(
    _ request: RemoteRequest,
    idleTime: Duration,
    progress: (TransferProgress) -> Void
  ) async throws -> RemoteResponse
}

/// A transport that waits only so long.
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

/// Routes on a socket of this machine.
package protocol RouteServer: Sendable {
  /// Listens on 127.0.0.1, and returns the port; at one that is free if `port` is 0.
  func start(port: Int) throws(CannotServe) -> Int
  /// Waits until what has reached a client is in the log.
  func catchUp()
  /// Closes every connection. Nothing happens if it has not started.
  func stop()
}

/// Why a server cannot listen.
package struct CannotServe: Error {
  /// A sentence without a full stop: `port 8080 is in use`.
  package let sentence: String
  package let hint: String

  package init(sentence: String, hint: String) {
    self.sentence = sentence
    self.hint = hint
  }
}
