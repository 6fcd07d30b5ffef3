import FetchProtocol
import MockHTTP
package import MockHTTPServer
package import Rehearsal

/// Connects a session with sockets: routes are served on this machine, and the helper reaches the allowed hosts.
extension SessionNetwork {
  /// Creates a network with sockets on this machine, and access to real servers through the helper program.
  ///
  /// - Parameters:
  ///   - hosts: the allowed hosts other than this machine.
  ///   - canAllow: whether the command 'allow' may add hosts.
  ///   - observer: called for each request over a socket, on a thread of the server.
  /// - Returns: the network.
  package static func sockets(
    allowing hosts: [String] = [],
    canAllow: Bool = false,
    observer: (@Sendable (ServedRequest) -> Void)? = nil
  ) -> SessionNetwork {
    SessionNetwork(
      makeServer: { ServedRoutes(server: MockHTTPServer($0, now: $1, observer: observer)) },
      makeTransport: { FetchClient() },
      allowedHosts: hosts,
      canAllow: canAllow
    )
  }
}

extension FetchClient: OutsideTransport {}

private struct ServedRoutes: RouteServer {
  let server: MockHTTPServer

  func start(port: Int) throws(CannotServe) -> Int {
    do throws(ServeProblem) {
      return try server.start(port: port)
    } catch {
      throw CannotServe(sentence: error.sentence, hint: error.hint)
    }
  }

  func catchUp() { server.catchUp() }

  func stop() { server.stop() }
}
