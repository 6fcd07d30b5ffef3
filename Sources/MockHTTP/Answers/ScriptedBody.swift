/// The bytes of a response and their type.
public struct ScriptedBody: Sendable, Hashable {
  /// The content.
  public var content: Content
  /// The content type, nil for the one that the content implies.
  public var type: String?
  /// Whether the body is compressed with gzip. A build without zlib never compresses.
  public var isCompressed: Bool

  /// The source of a body's bytes.
  public enum Content: Sendable, Hashable {
    /// No bytes.
    case empty
    /// Text in which `{name}` echoes a part of the request.
    case text(String)
    /// JSON as text. `{name}` in its strings echoes a part of the request.
    case json(String)
    /// Bytes without placeholders.
    case bytes([UInt8])
    /// The bytes of a file, and its name in the route.
    case file(name: String, bytes: [UInt8])
    /// This number of filler bytes, the same in every run.
    case filler(bytes: Int)
  }

  /// No bytes and no type.
  public static let empty = ScriptedBody(.empty)

  /// Creates a body, by default uncompressed and with the type that its content implies.
  public init(_ content: Content, type: String? = nil, isCompressed: Bool = false) {
    self.content = content
    self.type = type
    self.isCompressed = isCompressed
  }
}
