/// A range of a file's bytes and their replacement.
struct TextEdit: Equatable {
  let range: Range<Int>
  let replacement: [UInt8]

  /// Returns the bytes with all edits applied.
  ///
  /// - Precondition: no two edits overlap, and all lie within the bytes.
  static func apply(_ edits: [TextEdit], to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var copied = 0
    for edit in edits.sorted(by: { $0.precedes($1) }) {
      precondition(edit.range.lowerBound >= copied, "Edits of one file do not overlap.")
      result += bytes[copied..<edit.range.lowerBound]
      result += edit.replacement
      copied = edit.range.upperBound
    }
    return result + bytes[copied...]
  }

  /// Orders by position; an insertion comes before a replacement at the same position.
  private func precedes(_ other: TextEdit) -> Bool {
    (range.lowerBound, range.upperBound) < (other.range.lowerBound, other.range.upperBound)
  }
}

/// The replacement is encoded as text, because transcripts and their output are UTF-8.
extension TextEdit: Codable {
  private enum CodingKeys: String, CodingKey { case from, to, text }

  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(range.lowerBound, forKey: .from)
    try fields.encode(range.upperBound, forKey: .to)
    try fields.encode(String(decoding: replacement, as: UTF8.self), forKey: .text)
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let start = try fields.decode(Int.self, forKey: .from)
    range = start..<max(start, try fields.decode(Int.self, forKey: .to))
    replacement = Array(try fields.decode(String.self, forKey: .text).utf8)
  }
}
