/// Why no answer came, or none that could be read: one vocabulary for every transport.
public enum TransportError: Error, Codable, Hashable, Sendable {
  /// Nobody listens at the address.
  case refused
  /// The connection was reset, before the answer or within it.
  case reset
  /// The connection was closed without an answer.
  case empty
  /// The body ended before its announced end.
  case truncated
  /// What came is not HTTP.
  case malformed
  /// Nothing came for longer than the transport waits.
  case timedOut
  /// Somebody other than the waiting task cancelled the request. Loads take it for a cancellation.
  case cancelled
  /// The secure connection could not be made.
  case insecure
  /// The host's name is not known.
  case unresolved
  /// There is no network.
  case offline
  /// The URL is not one to load from: not absolute, without a host, or neither `http` nor `https`.
  case unsupportedURL
  /// The places that the redirects led through, in order; those of the first host by their paths.
  case tooManyRedirects([String])
  /// A mock has no route for the request; the route that came nearest, and why it did not match.
  case unmatched(request: String, nearest: String?)
  /// The host may not be reached from here.
  case forbidden(host: String)
  /// What the platform says where none of the others fits.
  case other(String)
}
