public import RemoteLoading

/// A set of routes and what was asked of them: the one engine behind the mock in memory, on a socket and
/// behind a `URLProtocol`.
///
/// It has no clock and starts no task. A transport hands a request in, carries the exchange out in its own
/// time, and says how it ended. Any thread may call it.
public final class MockServer: Sendable {
  /// - Parameters:
  ///   - seed: of everything that is drawn by lot: delays, injected faults.
  ///   - logLimit: how many of the latest requests are kept; the counts of routes go on.
  public init(seed: UInt64 = 0, logLimit: Int = 10_000) {}

  // MARK: Routes

  /// Adds a route, which wins over earlier ones that are as specific.
  ///
  /// - Returns: its number; numbers count from 1 and are never used again.
  @discardableResult
  public func add(_ route: Route) -> Int { preconditionFailure("to come") }

  /// - Returns: false where there is no such route.
  @discardableResult
  public func remove(_ number: Int) -> Bool { preconditionFailure("to come") }

  /// The routes in the order in which they were added, and how often each was used.
  public var routes: [RegisteredRoute] { preconditionFailure("to come") }

  // MARK: Exchanges

  /// Takes a request in: finds its route, takes the answer whose turn it is, draws what is left to chance,
  /// and writes the log.
  ///
  /// - Parameters:
  ///   - request: what is asked.
  ///   - scope: who asks, for routes that are there only for them.
  ///   - channel: which way it came.
  ///   - time: now, since the server's beginning.
  /// - Returns: what its transport has to do.
  public func receive(
    _ request: RemoteRequest,
    scope: String? = nil,
    channel: RequestLog.Channel = .memory,
    at time: Duration
  ) -> Exchange { preconditionFailure("to come") }

  /// Calls `body` as soon as the exchange may be answered: at once, unless it is held. At most once;
  /// never when the exchange finishes before.
  public func whenReleased(_ exchange: Int, _ body: @escaping @Sendable () -> Void) {
    preconditionFailure("to come")
  }

  /// Says that the first byte of an answer goes out.
  public func begin(_ exchange: Int, at time: Duration) { preconditionFailure("to come") }

  /// Says how an exchange ended. Only the first word about it counts.
  public func finish(_ exchange: Int, _ fate: RequestLog.Fate, bytesSent: Int, at time: Duration) {
    preconditionFailure("to come")
  }

  // MARK: Holding answers back

  /// Keeps the answers to such requests back until they are released, those already waiting included.
  public func hold(_ pattern: RequestPattern) { preconditionFailure("to come") }

  /// Lets go of what is held by this pattern, or by all, oldest first, and holds no more.
  ///
  /// - Returns: how many exchanges were waiting.
  @discardableResult
  public func release(_ pattern: RequestPattern? = nil) -> Int { preconditionFailure("to come") }

  /// Lets the oldest exchange go that waits, and goes on holding.
  @discardableResult
  public func releaseNext(_ pattern: RequestPattern? = nil) -> Bool {
    preconditionFailure("to come")
  }

  // MARK: Faults over all requests

  /// Makes about `rate` of all requests fail, from 0 to 1, drawn by a seed of its own if given.
  public func inject(_ fault: Fault, rate: Double, seed: UInt64? = nil) {
    preconditionFailure("to come")
  }
  public func stopInjecting() { preconditionFailure("to come") }

  /// Begins the sequence of chance anew.
  public func reseed(_ seed: UInt64) { preconditionFailure("to come") }

  // MARK: Log

  public var log: RequestLog { preconditionFailure("to come") }
}

/// A route in a server.
public struct RegisteredRoute: Sendable {
  public let number: Int
  public let route: Route
  /// How many requests it has answered.
  public let useCount: Int
}
