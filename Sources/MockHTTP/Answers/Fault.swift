/// A failure instead of a response.
public enum Fault: String, Sendable, Hashable, CaseIterable {
  /// The connection is refused.
  case refused
  /// The connection is reset before the first byte.
  case reset
  /// The connection is closed before the first byte.
  case empty
  /// The bytes are not HTTP.
  case garbage
  /// The request is accepted but never answered.
  case never
  /// The TLS handshake fails. On a socket without TLS, the connection is reset.
  case tls
}
