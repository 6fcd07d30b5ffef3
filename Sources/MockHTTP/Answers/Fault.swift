/// What goes wrong instead of a response.
public enum Fault: String, Sendable, Hashable, CaseIterable {
  /// Nobody listens.
  case refused
  /// The connection is reset before a byte of the answer.
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
