package import MockHTTP
package import RemoteLoading

/// What a session can reach beyond its own memory. The program provides it, so that the session itself
/// links no socket.
package struct SessionNetwork: Sendable {
  /// Makes a server for the session's routes; nil where there is none.
  package var makeServer: (@Sendable (MockServer) -> any RouteServer)?
  /// Sends requests to real servers; nil where there is no way out.
  package var transport: (@Sendable (_ allowedHosts: [String]) -> any HTTPTransport)?
  /// Hosts that may be reached beyond this machine.
  package var allowedHosts: [String]
  /// Whether the command 'allow' may add to them: for people, not for files.
  package var canAllow: Bool

  package init(
    makeServer: (@Sendable (MockServer) -> any RouteServer)? = nil,
    transport: (@Sendable (_ allowedHosts: [String]) -> any HTTPTransport)? = nil,
    allowedHosts: [String] = [],
    canAllow: Bool = false
  ) {
    self.makeServer = makeServer
    self.transport = transport
    self.allowedHosts = allowedHosts
    self.canAllow = canAllow
  }

  /// No way out, and nobody gets in.
  package static let none = SessionNetwork()
}

/// Routes on a socket of this machine.
package protocol RouteServer: Sendable {
  /// Listens on 127.0.0.1, and returns the port; at one that is free if `port` is 0.
  func start(port: Int) throws(ServeProblem) -> Int
  /// Closes every connection. Nothing happens if it has not started.
  func stop()
}

/// Why a server cannot listen.
package struct ServeProblem: Error {
  /// A sentence without a full stop: `port 8080 is in use`.
  package let sentence: String
  package let hint: String

  package init(sentence: String, hint: String) {
    self.sentence = sentence
    self.hint = hint
  }
}
