import LibC
public import MockHTTP
import Synchronization

/// An HTTP server on a socket of this machine, in real time. It answers with the routes of a
/// `MockServer`, or forwards requests to another server and records the answers.
///
/// It supports HTTP/1.0 and 1.1, and its faults are real: a reset is a TCP reset, an empty reply
/// closes without a byte. Threads run only from `start` to `stop`. Any thread may call both, except
/// the server's own, which call the observer.
public final class MockHTTPServer: Sendable {
  private let service: Service
  private let state = Mutex(State.stopped)

  private enum State {
    case stopped
    case running(EventLoop, port: Int)

    var loop: EventLoop? {
      if case .running(let loop, _) = self { loop } else { nil }
    }
  }

  /// Creates a server that answers with routes.
  ///
  /// - Parameters:
  ///   - server: the routes and the log.
  ///   - options: the address and the limits for clients.
  ///   - now: the time for the log, since the server's start, from a monotonic clock.
  ///   - observer: receives each ended request, synchronously on a thread of the server.
  public convenience init(
    _ server: MockServer,
    options: ServeOptions = ServeOptions(),
    now: @escaping @Sendable () -> Duration = MockHTTPServer.stopwatch(),
    observer: (@Sendable (ServedRequest) -> Void)? = nil
  ) {
    self.init(
      Service(source: .routes(server), options: options, now: now, observer: observer)
    )
  }

  /// Creates a server that forwards requests to another server.
  ///
  /// - Parameters:
  ///   - upstream: the other server, with the receiver of its answers.
  ///   - options: the address and the limits for clients.
  ///   - now: the time, from a monotonic clock.
  ///   - observer: receives each ended request, synchronously on a thread of the server.
  public convenience init(
    upstream: Upstream,
    options: ServeOptions = ServeOptions(),
    now: @escaping @Sendable () -> Duration = MockHTTPServer.stopwatch(),
    observer: (@Sendable (ServedRequest) -> Void)? = nil
  ) {
    self.init(
      Service(source: .upstream(upstream), options: options, now: now, observer: observer)
    )
  }

  private init(_ service: Service) {
    self.service = service
  }

  deinit { stop() }

  /// Returns a function that measures the time since this call with the monotonic clock.
  public static func stopwatch() -> @Sendable () -> Duration {
    let beginning = ContinuousClock.now
    return { beginning.duration(to: .now) }
  }

  // MARK: Running

  /// Starts listening. Has no effect if the server is already listening.
  ///
  /// - Parameter port: the port, 0 for any free one.
  /// - Returns: the port.
  /// - Throws: `ServeProblem` if the port is not available.
  @discardableResult
  public func start(port: Int = 0) throws(ServeProblem) -> Int {
    try state.withLock { state throws(ServeProblem) in
      if case .running(_, let port) = state { return port }
      let address = service.options.address
      let socket = try SystemSocket(listeningAt: address, port: port)
      do throws(SystemError) {
        let loop = try EventLoop()
        _ = Listener(socket, service, loop)
        loop.start()
        let port = socket.port ?? port
        state = .running(loop, port: port)
        return port
      } catch {
        socket.close()
        throw ServeProblem(error, address: address, port: port)
      }
    }
  }

  /// Closes all connections and ends all threads before it returns. Requests in progress are logged
  /// as cancelled. Has no effect if the server is not running.
  public func stop() {
    let loop = state.withLock { state in
      defer { state = .stopped }
      return state.loop
    }
    loop?.stop()
  }

  /// Waits until every answer that has reached a client is also logged: a client may receive an
  /// answer just before that.
  public func catchUp() { state.withLock(\.loop)?.catchUp() }

  /// The listening port, nil if the server is not running.
  public var port: Int? {
    state.withLock { state in
      guard case .running(_, let port) = state else { return nil }
      return port
    }
  }
}
