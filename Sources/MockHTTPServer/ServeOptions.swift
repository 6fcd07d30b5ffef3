/// Where a server listens, and what a client may take of it.
public struct ServeOptions: Sendable {
  /// An IP address of this machine. At any but a loopback one, whoever reaches this machine over the
  /// network reaches the routes too.
  public var address = "127.0.0.1"
  /// Names by which a request may call this host, beside `localhost`, IP addresses, and those that
  /// routes name. Others are refused: a page from elsewhere could reach this machine by a name of
  /// its own that it lets point here.
  public var hosts: Set<String> = []
  /// How many connections may be open; more are closed at once.
  public var connectionLimit = 4_096
  /// How long the names and values of a request's header may be together.
  public var headLimitInBytes = 64 * 1_024
  /// How long the body of one request may be.
  public var bodyLimitInBytes = 64 * 1_024 * 1_024
  /// How long all bodies together may be that are being received.
  public var bodiesLimitInBytes = 256 * 1_024 * 1_024
  /// How long a client may say and take nothing while it is its turn.
  public var idleTimeout: Duration = .seconds(30)
  /// How long a connection that this side has ended waits for the client to end it too.
  public var farewellTimeout: Duration = .seconds(1)

  /// This machine alone, one thread, and limits that no ordinary client meets.
  public init() {}
}
