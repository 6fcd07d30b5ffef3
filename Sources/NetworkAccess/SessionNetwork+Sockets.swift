import FetchProtocol
import MockHTTP
package import MockHTTPServer
package import Rehearsal

extension SessionNetwork {
  /// Sockets of this machine, and real servers through the helper program.
  ///
  /// - Parameters:
  ///   - hosts: those that may be reached beyond this machine.
  ///   - canAllow: whether the command 'allow' may add to them.
  ///   - observer: told about each request that came over a socket, on a thread of the server.
  /// - Returns: what is wired to these.
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
