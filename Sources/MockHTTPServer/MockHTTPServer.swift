import LibC
public import MockHTTP
import Synchronization

/// Answers on a socket of this machine, in real time: by the routes of a `MockServer`, or by asking
/// another server and writing down what it says.
///
/// It speaks HTTP/1.0 and 1.1, and its faults are real ones: a reset is a TCP reset, an empty reply
/// closes without a byte. Threads run only from `start` to `stop`. Any thread may call both, but not
/// one of the server's own, which are those that call the observer.
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

  /// A server that answers by routes.
  ///
  /// - Parameters:
  ///   - server: the routes, and the log that is written.
  ///   - options: the address, and what a client may take.
  ///   - now: the time for the log, since the server's beginning, by a clock that never goes back.
  ///   - observer: told about each request that has ended, on a thread of the server, which waits.
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

  /// A server that hands what it is asked on to another one.
  ///
  /// - Parameters:
  ///   - upstream: the other server, and where to what it answers is written.
  ///   - options: the address, and what a client may take.
  ///   - now: the time, by a clock that never goes back.
  ///   - observer: told about each request that has ended, on a thread of the server, which waits.
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

  /// Time since this call, by the machine's monotonic clock.
  public static func stopwatch() -> @Sendable () -> Duration {
    let beginning = ContinuousClock.now
    return { beginning.duration(to: .now) }
  }

  // MARK: Running

  /// Begins to listen; where it does already, nothing happens.
  ///
  /// - Parameter port: where to listen; 0 for any port that is free.
  /// - Returns: the port.
  /// - Throws: `ServeProblem` when the port is not to be had.
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

  /// Closes all connections and ends all threads before it returns; what was being answered is
  /// logged as cancelled. Does nothing where nothing runs.
  public func stop() {
    let loop = state.withLock { state in
      defer { state = .stopped }
      return state.loop
    }
    loop?.stop()
  }

  /// Waits until what has reached a client is in the log, too: a client may have an answer a moment
  /// before that.
  public func catchUp() { state.withLock(\.loop)?.catchUp() }

  /// Where it listens; nil when it does not.
  public var port: Int? {
    state.withLock { state in
      guard case .running(_, let port) = state else { return nil }
      return port
    }
  }
}
