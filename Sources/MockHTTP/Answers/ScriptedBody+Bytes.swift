/// Returns the bytes of a body before compression, generated filler included.
extension ScriptedBody {
  /// The bytes before compression.
  var bytes: [UInt8] {
    switch content {
    case .empty: []
    case .text(let text), .json(let text): Array(text.utf8)
    case .bytes(let bytes), .file(_, let bytes): bytes
    case .filler(let count): Self.filler(count)
    }
  }

  /// Returns the repeated alphabet.
  private static func filler(_ count: Int) -> [UInt8] {
    (0..<max(0, count)).map { UInt8(ascii: "a") + UInt8($0 % 26) }
  }
}
