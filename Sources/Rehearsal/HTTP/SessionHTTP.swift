import MockHTTP
import RemoteLoading
import Script
import Staging

/// HTTP in a session: its routes, who serves them, and which way out there is.
@MainActor final class SessionHTTP {
  let server: MockServer
  let outside: OutsideQueue
  var network: SessionNetwork
  /// The routes on a socket, while they are.
  private(set) var socket: (server: any RouteServer, port: Int)?
  private let clock: StageClock

  init(stage: Stage, network: SessionNetwork) {
    self.network = network
    clock = stage.clock
    server = MockServer()
    outside = OutsideQueue(stage: stage)
  }

  func end() {
    socket?.server.stop()
    socket = nil
  }
}
