import NIOHTTP1

/// Where a server listens, and what a client may take of it.
public struct ServeOptions: Sendable {
  /// An IP address of this machine. At any but a loopback one, whoever reaches this machine over the
  /// network reaches the routes too.
  public var address = "127.0.0.1"
  /// Names by which a request may call this host, beside `localhost`, IP addresses, and those that
  /// routes name. Others are refused: a page from elsewhere could reach this machine by a name of
  /// its own that it lets point here.
  public var hosts: Set<String> = []
  /// Threads that serve.
  public var loopCount = 1
  /// How many connections may be open; more are closed at once.
  public var connectionLimit = 4_096
  /// The names and values of a request's header together.
  public var headLimitInBytes = 64 * 1_024
  /// The body of one request.
  public var bodyLimitInBytes = 64 * 1_024 * 1_024
  /// All bodies that are being received.
  public var bodiesLimitInBytes = 256 * 1_024 * 1_024
  /// How long a client may say and take nothing while it is its turn.
  public var idleTimeout: Duration = .seconds(30)
  /// How long a connection that this side has ended waits for the client to end it too.
  public var farewellTimeout: Duration = .seconds(1)

  public init() {}

  var headLimits: NIOHTTPDecoderLimitConfiguration {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = headLimitInBytes
    limits.maxHeaderListSize = headLimitInBytes
    return limits
  }
}
