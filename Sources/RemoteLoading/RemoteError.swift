/// A failure of loading over HTTP: the transport, the status, or the content.
public enum RemoteError: Error, Hashable, Sendable {
  /// There is no response, or an unreadable one.
  case transport(TransportError)
  /// The status is outside 200–299.
  case status(Int)
  /// The body differs from the expected type. `path` has dots and brackets and is empty for the
  /// root.
  case decoding(path: String, expected: String, found: String)
  /// The bytes are not an image.
  case image(found: String)
}
