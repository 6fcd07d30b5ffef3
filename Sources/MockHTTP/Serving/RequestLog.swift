public import HTTPTypes

/// The requests to a server and their results.
public struct RequestLog: Sendable {
  /// The latest requests, oldest first.
  public var entries: [Entry]
  /// The number of older requests that were discarded.
  public var cutCount: Int

  /// The way of a request: in memory, over a socket, or from a `URLSession`.
  public enum Channel: String, Sendable, Hashable {
    case memory, socket, urlSession
  }

  /// The result of a request.
  public enum Fate: Sendable, Hashable {
    /// The answer has not ended.
    case inFlight
    /// The answer is held.
    case held
    /// A response was sent, with any status.
    case answered
    /// The request failed with a fault.
    case failed
    /// The client cancelled or closed the connection, or the server was closed.
    case cancelled
    /// There is no route, or its answers are used up.
    case unmatched
  }

  /// A request.
  public struct Entry: Sendable {
    /// The number of its exchange, counted from 1.
    public let id: Int
    /// The request's head. A path longer than `keptBytes` is cut, and header fields are left out if
    /// they are longer in total.
    public let head: HTTPRequest
    /// The request's body, nil if it is longer than `keptBytes`.
    public let body: [UInt8]?
    /// A digest of all header fields and the complete body, nil if the request has neither.
    package let digest: UInt64?
    /// The member or scope that made the request, nil if unknown.
    public let scope: String?
    /// The way the request arrived.
    public let channel: Channel
    /// The route's number, nil if there was none.
    public let route: Int?
    /// The time of arrival, since the server's start.
    public let received: Duration
    /// The time of the first byte, since the server's start; nil before.
    public var begun: Duration?
    /// The time of the end, since the server's start; nil before.
    public var ended: Duration?
    /// The status of the response.
    public let status: Int?
    /// The fault, nil for a response and for a request without a route.
    public let fault: Fault?
    /// The number of body bytes sent; 0 before the end.
    public var bytesSent: Int
    /// The result so far.
    public var fate: Fate

    /// The request's method.
    public var method: HTTPRequest.Method { head.method }
    /// The path with the query.
    public var path: String { head.path ?? "/" }

    /// The maximum size of paths, header fields and bodies in the log.
    public static let keptBytes = 4_096
  }

  /// The number of all requests.
  public var totalCount: Int { cutCount + entries.count }

  /// Returns the kept requests that match a pattern, oldest first. If a body was too long to keep,
  /// it matches no condition about bodies.
  public func entries(matching pattern: RequestPattern) -> [Entry] {
    let matcher = PatternMatcher(pattern)
    return entries.filter { $0.matches(matcher) }
  }
}
