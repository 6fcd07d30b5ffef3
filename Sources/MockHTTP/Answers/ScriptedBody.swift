/// The bytes of a response, and what they are.
public struct ScriptedBody: Sendable, Hashable {
  /// What the bytes are made of.
  public var content: Content
  /// The content type; nil for what the content suggests.
  public var type: String?
  /// Sent compressed by gzip; as it is where there was no zlib when this was built.
  public var isCompressed: Bool

  /// Where a body's bytes come from.
  public enum Content: Sendable, Hashable {
    /// No bytes.
    case empty
    /// Text in which `{name}` echoes a capture.
    case text(String)
    /// JSON, as text, in whose strings `{name}` echoes a capture.
    case json(String)
    /// These bytes, and nothing echoed in them.
    case bytes([UInt8])
    /// A file's bytes, and the name by which the route calls it.
    case file(name: String, bytes: [UInt8])
    /// So many bytes of filler, the same in every run.
    case filler(bytes: Int)
  }

  /// No bytes, and no type.
  public static let empty = ScriptedBody(.empty)

  /// A body, by default not compressed and of the type that its content suggests.
  public init(_ content: Content, type: String? = nil, isCompressed: Bool = false) {
    self.content = content
    self.type = type
    self.isCompressed = isCompressed
  }
}
