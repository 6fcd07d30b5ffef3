/// Finds the place in a command for a part of a quoted text, to mark it in an error.
extension Parser {
  /// Returns the range in the command for bytes of a quoted text. Escapes are longer than their
  /// values.
  package func place(of part: Range<Int>, inText span: Range<Int>) -> Range<Int> {
    var start = span.lowerBound + 1
    var end = start
    var count = 0
    while count < part.upperBound, end < span.upperBound - 1 {
      if count <= part.lowerBound { start = end }
      let (length, meant) = piece(at: end)
      end += length
      count += meant
    }
    if count <= part.lowerBound { start = end }
    return start..<max(end, start + 1)
  }

  /// Returns the number of bytes of a byte or an escape, and of its value.
  private func piece(at start: Int) -> (length: Int, meant: Int) {
    guard bytes[start] == UInt8(ascii: "\\") else { return (1, 1) }
    guard bytes[start + 1] == UInt8(ascii: "u") else { return (2, 1) }
    switch UInt32(text(start + 2..<start + 6), radix: 16) ?? 0 {
    case ..<0x80: return (6, 1)
    case ..<0x800: return (6, 2)
    case 0xD800..<0xDC00: return (12, 4)  // The first half of a pair.
    default: return (6, 3)
    }
  }
}
