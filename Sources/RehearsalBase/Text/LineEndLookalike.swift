/// A character that editors show as a line end, although it does not end a line of a script or transcript.
///
/// In a comment it would hide the text after it, which looks like a separate line.
package enum LineEndLookalike: String, Sendable, CaseIterable {
  /// A carriage return without a line feed after it.
  case carriageReturn
  case verticalTab, formFeed, nextLine, lineSeparator, paragraphSeparator

  /// Returns the first one in a part of a text, and its bytes.
  ///
  /// A carriage return at the end of the whole text does not count, because nothing follows it.
  package static func first<Bytes: RandomAccessCollection<UInt8>>(
    in bytes: Bytes,
    within part: Range<Int>
  ) -> (lookalike: LineEndLookalike, range: Range<Int>)? where Bytes.Index == Int {
    for place in part {
      let found: (LineEndLookalike, byteCount: Int)? =
        switch bytes[place] {
        case 0x0D:
          place + 1 == bytes.endIndex || bytes[place + 1] == 0x0A ? nil : (.carriageReturn, 1)
        case 0x0B: (.verticalTab, 1)
        case 0x0C: (.formFeed, 1)
        case 0xC2: bytes[(place + 1)...].first == 0x85 ? (.nextLine, 2) : nil
        case 0xE2: separator(bytes[(place + 1)...].prefix(2)).map { ($0, 3) }
        default: nil
        }
      if let found { return (found.0, place..<place + found.byteCount) }
    }
    return nil
  }

  /// Returns the separator that ends in these two bytes, after the byte 0xE2.
  private static func separator(_ rest: some Collection<UInt8>) -> LineEndLookalike? {
    guard rest.first == 0x80 else { return nil }
    return switch rest.dropFirst().first {
    case 0xA8: .lineSeparator
    case 0xA9: .paragraphSeparator
    default: nil
    }
  }

  /// The problem of a line that contains it.
  package var sentence: String {
    let name =
      switch self {
      case .carriageReturn: "a carriage return without a line feed"
      case .verticalTab: "a vertical tab"
      case .formFeed: "a form feed"
      case .nextLine: "the control character U+0085, next line,"
      case .lineSeparator: "the line separator U+2028"
      case .paragraphSeparator: "the paragraph separator U+2029"
      }
    return name + " is in this line"
  }

  package var hint: String {
    self == .carriageReturn
      ? "save it with line feeds; tr '\\r' '\\n' < OLD > NEW makes them"
      : "some editors show a line end there; write a line feed, or remove it"
  }
}
