/// The address of a server and its limits for clients.
public struct ServeOptions: Sendable {
  /// An IP address of this machine. Any address other than a loopback one makes the routes
  /// available to the network.
  public var address = "127.0.0.1"
  /// Additional host names to accept, next to `localhost`, IP addresses, and names in routes. Other
  /// names are refused: otherwise a page from elsewhere could reach this machine by a DNS name that
  /// points here.
  public var hosts: Set<String> = []
  /// The maximum number of open connections; more are closed at once.
  public var connectionLimit = 4_096
  /// The maximum size of a request's header fields.
  public var headLimitInBytes = 64 * 1_024
  /// The maximum size of one request's body.
  public var bodyLimitInBytes = 64 * 1_024 * 1_024
  /// The maximum size of all bodies that are being received.
  public var bodiesLimitInBytes = 256 * 1_024 * 1_024
  /// The time that a client may be idle while the server waits for it.
  public var idleTimeout: Duration = .seconds(30)
  /// The time that an ended connection waits for the client to end it too.
  public var farewellTimeout: Duration = .seconds(1)

  /// Creates options for this machine only, with limits above those of ordinary clients.
  public init() {}
}
