import LibC

/// The listening socket, which accepts connections.
final class Listener: SocketHandler {
  private let socket: SystemSocket
  private let service: Service
  private let loop: EventLoop

  /// The pause before accepting again if no descriptor is left.
  private static let shortagePause = Duration.seconds(1)

  init(_ socket: SystemSocket, _ service: Service, _ loop: EventLoop) {
    self.socket = socket
    self.service = service
    self.loop = loop
    loop.watch(socket.descriptor, for: .readable, self)
  }

  func handle(_ events: SocketEvents) {
    do throws(SystemError) {
      while true { Connection(try socket.accept(), service, loop).open() }
    } catch {
      guard error.isShortage else { return }
      loop.setEvents([], of: socket.descriptor)
      _ = loop.schedule(at: .now + Self.shortagePause) { [loop, socket] in
        loop.setEvents(.readable, of: socket.descriptor)
      }
    }
  }

  func close() { socket.close() }
}
