import LibC

/// A position in a line of Markdown: recognises the marks of lists, quotes, headings and fences, and their indentation.
/// It counts columns: a tab advances to the next multiple of four.
struct LineCursor {
  let buffer: UnsafeBufferPointer<UInt8>
  let end: Int
  private var offset: Int
  private var column = 0
  /// The offset of the next byte that is not a space or tab, and its column.
  private(set) var nextOffset: Int
  private var nextColumn = 0

  init(_ buffer: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) {
    (self.buffer, self.end, offset, nextOffset) = (buffer, end, start, start)
    findNext()
  }

  /// The number of columns of white space that come next.
  var indent: Int { nextColumn - column }
  var isBlank: Bool { nextOffset == end }
  /// The next byte that is not a space or tab.
  var next: UInt8? { nextOffset < end ? buffer[nextOffset] : nil }
  /// The text after the white space.
  var text: Range<Int> { nextOffset..<end }

  private func isBlank(at place: Int) -> Bool {
    place < end && (buffer[place] == .space || buffer[place] == UInt8(ascii: "\t"))
  }

  private mutating func findNext() {
    (nextOffset, nextColumn) = (offset, column)
    while isBlank(at: nextOffset) {
      nextColumn += buffer[nextOffset] == .space ? 1 : 4 - nextColumn % 4
      nextOffset += 1
    }
  }

  mutating func skipBlanks() {
    (offset, column) = (nextOffset, nextColumn)
    findNext()
  }

  /// Skips a number of columns, possibly a part of a tab.
  mutating func skip(columns: Int) {
    advance(columns)
    findNext()
  }

  private mutating func advance(_ columns: Int) {
    var left = columns
    while left > 0, offset < end {
      let width = buffer[offset] == UInt8(ascii: "\t") ? 4 - column % 4 : 1
      column += min(left, width)
      if width <= left { offset += 1 }
      left -= min(left, width)
    }
  }

  /// Skips a block quote marker and one column of white space after it.
  mutating func skipQuoteMark() {
    (offset, column) = (nextOffset + 1, nextColumn + 1)
    if isBlank(at: offset) { advance(1) }
    findNext()
  }

  /// Skips a list marker and the white space after it.
  ///
  /// - Parameter interrupting: whether it would interrupt a paragraph, which not every item may.
  /// - Returns: the indentation of the item's content in columns; nil if there is no marker.
  mutating func skipListMark(interrupting: Bool) -> Int? {
    guard let length = listMark(interrupting: interrupting) else { return nil }
    let mark = nextOffset + length
    if interrupting, isBlank(from: mark) { return nil }
    let indent = indent
    (offset, column) = (mark, nextColumn + length)
    findNext()
    let blanks = self.indent
    let isCode = blanks > 4
    if isBlank || isCode {
      // More than one space belongs to the content, which may be an indented block or empty.
      if isBlank(at: offset) { skip(columns: 1) }
      return indent + length + 1
    }
    skipBlanks()
    return indent + length + blanks
  }

  /// Returns the length of the next list marker, such as `-` or `12.`.
  private func listMark(interrupting: Bool) -> Int? {
    var place = nextOffset
    var number = 0
    while place < end, place - nextOffset < 10, let digit = digit(at: place) {
      number = number * 10 + digit
      place += 1
    }
    let digits = place - nextOffset
    guard digits < 10, place < end else { return nil }
    let marks: StaticString = digits == 0 ? "-*+" : ".)"
    let mark = buffer[place]
    guard marks.withUTF8Buffer({ $0.contains(mark) }),
      place + 1 == end || isBlank(at: place + 1),
      digits == 0 || !interrupting || number == 1
    else { return nil }
    return digits + 1
  }

  private func digit(at place: Int) -> Int? {
    let byte = buffer[place]
    guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
    return Int(byte - UInt8(ascii: "0"))
  }

  /// The number of equal bytes that come next.
  private var run: Int {
    var place = nextOffset
    while place < end, buffer[place] == buffer[nextOffset] { place += 1 }
    return place - nextOffset
  }

  private func isBlank(from place: Int) -> Bool {
    var place = place
    while isBlank(at: place) { place += 1 }
    return place == end
  }

  /// `# Heading`.
  var isHeading: Bool {
    guard next == UInt8(ascii: "#") else { return false }
    let run = run
    return run <= 6 && (nextOffset + run == end || isBlank(at: nextOffset + run))
  }

  /// The underline of a heading.
  var isSetextLine: Bool {
    guard next == UInt8(ascii: "=") || next == UInt8(ascii: "-") else { return false }
    return isBlank(from: nextOffset + run)
  }

  /// `***`, `- - -`.
  var isThematicBreak: Bool {
    guard let mark = next,
      mark == UInt8(ascii: "*") || mark == UInt8(ascii: "-") || mark == UInt8(ascii: "_")
    else { return false }
    var count = 0
    for place in text {
      if buffer[place] == mark {
        count += 1
      } else if !isBlank(at: place) {
        return false
      }
    }
    return count >= 3
  }

  /// Returns the fence that opens at the next text.
  func fence(isQuoted: Bool) -> MarkdownBlocks.Fence? {
    guard let mark = next, mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~") else {
      return nil
    }
    let length = run
    let info = nextOffset + length..<end
    guard length >= 3, mark == UInt8(ascii: "~") || !contains(mark, info) else { return nil }
    return MarkdownBlocks.Fence(
      mark: mark,
      length: length,
      column: nextColumn,
      info: info,
      isQuoted: isQuoted
    )
  }

  /// Whether the line closes a fence, given that its indentation is small enough.
  func closes(_ fence: MarkdownBlocks.Fence) -> Bool {
    guard next == fence.mark else { return false }
    let run = run
    return run >= fence.length && isBlank(from: nextOffset + run)
  }

  private func contains(_ byte: UInt8, _ range: Range<Int>) -> Bool {
    guard let base = buffer.baseAddress, !range.isEmpty else { return false }
    return memchr(base + range.lowerBound, Int32(byte), range.count) != nil
  }
}
