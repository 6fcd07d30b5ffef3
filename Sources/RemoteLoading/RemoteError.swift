/// Why a load over HTTP failed: on the way, by its status, or because of what came.
public enum RemoteError: Error, Hashable, Sendable {
  /// No answer came, or none that could be read.
  case transport(TransportError)
  /// A status outside 200–299.
  case status(Int)
  /// The body is not what was expected: `path` in dots and brackets, empty for the whole body.
  case decoding(path: String, expected: String, found: String)
  /// The bytes are no image, by their signature.
  case image(found: String)
}
