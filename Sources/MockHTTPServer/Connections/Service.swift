import MockHTTP
import Synchronization

/// The shared state of all connections of a server.
final class Service: Sendable {
  let source: Source
  let options: ServeOptions
  let now: @Sendable () -> Duration
  let observer: (@Sendable (ServedRequest) -> Void)?
  private let connectionCount = Atomic(0)
  private let bodyBytes = Atomic(0)

  /// The source of answers.
  enum Source: Sendable {
    case routes(MockServer)
    case upstream(Upstream)
  }

  init(
    source: Source,
    options: ServeOptions,
    now: @escaping @Sendable () -> Duration,
    observer: (@Sendable (ServedRequest) -> Void)?
  ) {
    self.source = source
    self.options = options
    self.now = now
    self.observer = observer
  }

  // MARK: Resources

  /// Counts a connection.
  ///
  /// - Returns: false if there are too many. It is counted in any case.
  func addConnection() -> Bool {
    connectionCount.add(1, ordering: .relaxed).newValue <= options.connectionLimit
  }

  func removeConnection() { connectionCount.subtract(1, ordering: .relaxed) }

  /// Counts body bytes.
  ///
  /// - Returns: false if all bodies together are too long. They are counted in any case.
  func addBodyBytes(_ count: Int) -> Bool {
    bodyBytes.add(count, ordering: .relaxed).newValue <= options.bodiesLimitInBytes
  }

  func removeBodyBytes(_ count: Int) { bodyBytes.subtract(count, ordering: .relaxed) }

  // MARK: Hosts

  /// Returns whether the server accepts this host name: an address, `localhost`, or a name in the
  /// options or in a route. A page from elsewhere can only use its own name.
  func answers(to authority: some StringProtocol) -> Bool {
    let host = HostName(authority)
    if host.isAddress || host.isLocal || options.hosts.contains(host.name) { return true }
    guard case .routes(let server) = source else { return false }
    return server.routes.contains { route in
      route.route.pattern.host.map { HostName($0).name == host.name } ?? false
    }
  }
}
