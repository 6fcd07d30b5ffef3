public import MockHTTP

/// A request that came over a socket and has ended, for those who watch.
public struct ServedRequest: Sendable, Hashable {
  /// nil where what came was no request.
  public var method: String?
  /// With its query, as it came.
  public var path: String?
  /// The member of a session that asked; nil for everybody else.
  public var member: String?
  /// nil where no head went out.
  public var status: Int?
  /// What went wrong, in a word or a few; nil where nothing did.
  public var problem: String?
  /// How many bytes of the body went out.
  public var bytesSent: Int
  /// Real time, from the request's last byte to the answer's, or to when the client went away.
  public var duration: Duration
  /// What became of it: answered, failed, cancelled or unmatched.
  public var fate: RequestLog.Fate
}
