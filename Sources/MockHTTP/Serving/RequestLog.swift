public import HTTPTypes

/// What was asked of a server, and what became of it.
public struct RequestLog: Sendable {
  /// The latest, oldest first.
  public var entries: [Entry]
  /// How many older ones are no longer kept.
  public var cutCount: Int

  /// The way that a request came: in memory, over a socket, or from a `URLSession`.
  public enum Channel: String, Sendable, Hashable {
    case memory, socket, urlSession
  }

  /// What became of a request.
  public enum Fate: Sendable, Hashable {
    /// Its answer is not over yet.
    case inFlight
    /// Held back until it is released.
    case held
    /// By a response, of whatever status.
    case answered
    /// Answered by a fault.
    case failed
    /// The client went away, or was told to.
    case cancelled
    /// By no route, or by one that is used up.
    case unmatched
  }

  /// A request that came in.
  public struct Entry: Sendable {
    /// The number of its exchange. Counts from 1.
    public let id: Int
    /// What was asked. A path that is longer than `keptBytes` is cut, and header fields that are longer in
    /// all are left out.
    public let head: HTTPRequest
    /// That of the request; nil if it is longer than `keptBytes`.
    public let body: [UInt8]?
    /// A digest of all header fields and the whole body; nil if the request has neither.
    package let digest: UInt64?
    /// Who asked; nil where nobody said.
    public let scope: String?
    /// Which way it came.
    public let channel: Channel
    /// The route's number; nil where there was none.
    public let route: Int?
    /// When it came in, since the server's beginning.
    public let received: Duration
    /// When the first byte went out, since the server's beginning; nil as long as none has.
    public var begun: Duration?
    /// When it was over, since the server's beginning; nil as long as it is not.
    public var ended: Duration?
    /// The status that was or will be sent.
    public let status: Int?
    /// What its answer was a fault of; nil where it was a response, or there is no route.
    public let fault: Fault?
    /// How many bytes of the body went out; 0 until the end is known.
    public var bytesSent: Int
    /// What became of it, as far as is known.
    public var fate: Fate

    /// That of the request.
    public var method: HTTPRequest.Method { head.method }
    /// With its query.
    public var path: String { head.path ?? "/" }

    /// Up to which size the log keeps paths, header fields and bodies.
    public static let keptBytes = 4_096
  }

  /// How many requests came in all.
  public var totalCount: Int { cutCount + entries.count }

  /// The kept requests that a pattern matches, oldest first. A body that was too long to keep matches no
  /// condition about bodies.
  public func entries(matching pattern: RequestPattern) -> [Entry] {
    let matcher = PatternMatcher(pattern)
    return entries.filter { $0.matches(matcher) }
  }
}
