import RehearsalBase

/// Finds the parts of a parsed command that differ from the canonical spelling.
struct SpellingEdits {
  /// The changes in the order of the text, without overlaps.
  private(set) var edits: [Spelling.Edit] = []
  private let bytes: [UInt8]

  /// Finds the changes in a whole command that a parser has read with marks.
  init(_ parser: Parser) {
    bytes = parser.bytes
    spellBeginning()
    for gap in parser.gaps { spell(gap: gap) }
    for mark in parser.marks ?? [] {
      switch mark.role {
      case .value: spell(value: mark.range)
      case .duration: spell(duration: mark.range)
      default: break
      }
    }
    edits.sort { $0.range.lowerBound < $1.range.lowerBound }
  }

  private mutating func replace(_ range: Range<Int>, by text: String) {
    guard !bytes[range].elementsEqual(text.utf8) else { return }
    edits.append(Spelling.Edit(range: range, text: text))
  }

  // MARK: Between words

  private mutating func spellBeginning() {
    let blanks = bytes.prefix { $0 == 0x20 || $0 == 0x09 }.count
    guard blanks < bytes.count, bytes[blanks] != UInt8(ascii: "#") else { return }
    replace(0..<blanks, by: "")
  }

  /// Checks blanks, comments and line breaks between two words or after the last one.
  private mutating func spell(gap: Range<Int>) {
    var start = gap.lowerBound
    while start < gap.upperBound {
      let feed = bytes[start..<gap.upperBound].firstIndex(of: UInt8(ascii: "\n"))
      spell(gap: start..<(feed ?? gap.upperBound), isLineEnd: feed != nil, of: gap)
      start = (feed ?? gap.upperBound - 1) + 1
    }
  }

  private mutating func spell(gap line: Range<Int>, isLineEnd: Bool, of gap: Range<Int>) {
    let isEndOfLine = isLineEnd || line.upperBound == bytes.count
    let isIndentation = line.lowerBound != gap.lowerBound
    let start = line.lowerBound + bytes[line].prefix(while: Self.isBlank).count
    guard start < line.upperBound else {
      // The author chooses the indentation of a line.
      if isIndentation, !isEndOfLine { return }
      return replace(line, by: isEndOfLine || line.isEmpty ? "" : " ")
    }
    if !isIndentation { replace(line.lowerBound..<start, by: " ") }
    replace(start..<line.upperBound, by: Spelling.comment(bytes[start..<line.upperBound]))
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }

  // MARK: Values

  /// Checks blanks in a JSON value, except in its texts. Line breaks and indentation stay.
  private mutating func spell(value: Range<Int>) {
    var place = value.lowerBound
    while place < value.upperBound {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\"") {
        place = Parser.endOfQuote(from: place, in: bytes)
      } else if Self.isBlank(byte) {
        let count = bytes[place..<value.upperBound].prefix(while: Self.isBlank).count
        spell(blanks: place..<place + count)
        place += count
      } else {
        place += 1
        let isSeparator = byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
        if isSeparator, place < value.upperBound, !Self.isBlank(bytes[place]) {
          replace(place..<place, by: " ")
        }
      }
    }
  }

  private mutating func spell(blanks: Range<Int>) {
    let feed = UInt8(ascii: "\n")
    guard let first = bytes[blanks].firstIndex(of: feed) else {
      let before = bytes[blanks.lowerBound - 1]
      return replace(
        blanks,
        by: before == UInt8(ascii: ",") || before == UInt8(ascii: ":") ? " " : ""
      )
    }
    replace(blanks.lowerBound..<first, by: "")
    guard let last = bytes[blanks].lastIndex(of: feed) else { return }
    // Blank lines inside a value.
    replace(
      first..<last,
      by: String(repeating: "\n", count: bytes[first..<last].count { $0 == feed })
    )
  }

  /// Checks `1.50s` and `2min`: a fraction has no zeros at its end, and units have short names.
  private mutating func spell(duration: Range<Int>) {
    let text = String(decoding: bytes[duration], as: UTF8.self)
    let number = text.prefix { $0 == "." || $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(number.count)
    var digits = String(number)
    if number.contains(".") {
      while digits.hasSuffix("0") { digits.removeLast() }
      if digits.hasSuffix(".") { digits.removeLast() }
    }
    let printed = unit == "min" ? "m" : unit == "µs" ? "us" : String(unit)
    replace(duration, by: digits + printed)
  }
}

extension Spelling {
  /// Returns a comment with a blank after its `#`, and none at its end.
  package static func comment(_ comment: ArraySlice<UInt8>) -> String {
    var text = comment
    while let last = text.last, last <= 0x20 { text.removeLast() }
    let mark = text.prefix { $0 == UInt8(ascii: "#") }
    let isJoined = text.dropFirst(mark.count).first.map { $0.isLetter || $0 >= 0x80 } ?? false
    guard mark.count == 1, isJoined else { return String(decoding: text, as: UTF8.self) }
    return "# " + String(decoding: text.dropFirst(), as: UTF8.self)
  }
}

extension Parser {
  /// Returns the position after a quoted text that begins at `start`.
  static func endOfQuote(from start: Int, in bytes: [UInt8]) -> Int {
    var end = start + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(end + 1, bytes.count)
  }
}
