public import MockHTTP

/// A request over a socket that has ended, for observers.
public struct ServedRequest: Sendable, Hashable {
  /// Nil if the bytes were not a request.
  public var method: String?
  /// The path with the query.
  public var path: String?
  /// The member of a session that sent the request, nil for other clients.
  public var member: String?
  /// Nil if no head was sent.
  public var status: Int?
  /// The problem in a few words, or nil.
  public var problem: String?
  /// The number of body bytes sent.
  public var bytesSent: Int
  /// The real time from the request's last byte to the end of the answer or of the connection.
  public var duration: Duration
  /// The result: answered, failed, cancelled or unmatched.
  public var fate: RequestLog.Fate
}
