/// A reason why there is no readable response. Every transport uses these cases.
public enum TransportError: Error, Codable, Hashable, Sendable {
  /// The connection was refused.
  case refused
  /// The connection was reset, before or during the response.
  case reset
  /// The connection was closed without a response.
  case empty
  /// The body ended before its announced end.
  case truncated
  /// The response is not HTTP.
  case malformed
  /// The transport received no data for too long.
  case timedOut
  /// Other code than the waiting task cancelled the request. Loads treat it as a cancellation.
  case cancelled
  /// The secure connection failed.
  case insecure
  /// The host name cannot be resolved.
  case unresolved
  /// There is no network.
  case offline
  /// The URL is not absolute, has no host, or is neither `http` nor `https`.
  case unsupportedURL
  /// There were too many redirects. The places are in order; those on the first host are paths.
  case tooManyRedirects([String])
  /// A mock has no route for the request. The nearest route includes the reason why it does not
  /// match.
  case unmatched(request: String, nearest: String?)
  /// The configuration does not allow this host.
  case forbidden(host: String)
  /// The platform's message if no other case applies.
  case other(String)
}
