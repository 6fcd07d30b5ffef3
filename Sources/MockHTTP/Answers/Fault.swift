/// What goes wrong instead of a response.
public enum Fault: String, Sendable, Hashable, CaseIterable {
  case refused
  case reset
  /// Closed without a byte.
  case empty
  /// Bytes that are no HTTP.
  case garbage
  /// Accepted, and never answered.
  case never
  /// The secure connection fails. On a socket without TLS it is a reset.
  case tls
}
