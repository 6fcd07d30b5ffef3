/// A place in a file, and what is to stand there instead.
struct TextEdit: Equatable {
  let range: Range<Int>
  let replacement: [UInt8]

  /// The bytes with all edits made.
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

  /// By place; what is only put in comes before what begins at the same place.
  private func precedes(_ other: TextEdit) -> Bool {
    (range.lowerBound, range.upperBound) < (other.range.lowerBound, other.range.upperBound)
  }
}
