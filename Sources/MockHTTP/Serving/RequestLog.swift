public import HTTPTypes

/// What was asked of a server, and what became of it.
public struct RequestLog: Sendable {
  /// The latest, oldest first.
  public var entries: [Entry]
  /// How many older ones are no longer kept.
  public var cutCount: Int

  public enum Channel: String, Sendable, Hashable {
    case memory, socket, urlSession
  }

  public enum Fate: Sendable, Hashable {
    case inFlight
    /// Held back until it is released.
    case held
    case answered
    /// Answered by a fault.
    case failed
    /// The client went away, or was told to.
    case cancelled
    case unmatched
  }

  public struct Entry: Sendable {
    public let id: Int
    /// What was asked. A path that is longer than `keptBytes` is cut, and header fields that are longer in
    /// all are left out.
    public let head: HTTPRequest
    /// That of the request; nil if it is longer than `keptBytes`.
    public let body: [UInt8]?
    public let scope: String?
    public let channel: Channel
    /// The route's number; nil where there was none.
    public let route: Int?
    public let received: Duration
    /// When the first byte went out.
    public var begun: Duration?
    public var ended: Duration?
    /// The status that was or will be sent.
    public let status: Int?
    public let fault: Fault?
    /// Of the body.
    public var bytesSent: Int
    public var fate: Fate

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
