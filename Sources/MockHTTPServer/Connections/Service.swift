import MockHTTP
import Synchronization

/// What all connections of a server have in common.
final class Service: Sendable {
  let source: Source
  let options: ServeOptions
  let now: @Sendable () -> Duration
  let observer: (@Sendable (ServedRequest) -> Void)?
  private let connectionCount = Atomic(0)
  private let bodyBytes = Atomic(0)

  /// Who knows the answers.
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

  // MARK: What is taken

  /// - Returns: false where there are too many connections; it counts all the same.
  func addConnection() -> Bool {
    connectionCount.add(1, ordering: .relaxed).newValue <= options.connectionLimit
  }

  func removeConnection() { connectionCount.subtract(1, ordering: .relaxed) }

  /// - Returns: false where all bodies together are too long; they count all the same.
  func addBodyBytes(_ count: Int) -> Bool {
    bodyBytes.add(count, ordering: .relaxed).newValue <= options.bodiesLimitInBytes
  }

  func removeBodyBytes(_ count: Int) { bodyBytes.subtract(count, ordering: .relaxed) }

  // MARK: Hosts

  /// Whether a request may call this host so: by an address, by `localhost`, or by a name that the
  /// options or a route has. A page from elsewhere can only come by its own name.
  func answers(to authority: some StringProtocol) -> Bool {
    let host = HostName(authority)
    if host.isAddress || host.isLocal || options.hosts.contains(host.name) { return true }
    guard case .routes(let server) = source else { return false }
    return server.routes.contains { route in
      route.route.pattern.host.map { HostName($0).name == host.name } ?? false
    }
  }
}
