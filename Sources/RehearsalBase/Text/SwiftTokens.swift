/// The tokens of Swift source text, without comments.
///
/// With swift-syntax, each package that uses Rehearse would build it, too.
package struct SwiftTokens {
  package struct Token {
    /// A name, keyword, `#if`, number, or a whole text literal; otherwise one symbol, or `->`.
    package let text: String
    /// The bytes of the token in the source.
    package let bytes: Range<Int>
    /// The line, counted from 1.
    package let line: Int
    /// Whether blanks, line feeds or comments precede it.
    package let isApart: Bool
  }

  package let source: [UInt8]
  package private(set) var tokens: [Token] = []
  private var position = 0
  private var line = 1

  package init(_ source: [UInt8]) {
    self.source = source
    var isApart = true
    while position < source.count {
      let start = position
      let firstLine = line
      if skipBlank() {
        isApart = true
        continue
      }
      readToken()
      let text = String(decoding: source[start..<position], as: UTF8.self)
      tokens.append(Token(text: text, bytes: start..<position, line: firstLine, isApart: isApart))
      isApart = false
    }
  }

  /// Returns the index of the bracket that closes the one at an index; nil if none does.
  package func closing(_ open: Int) -> Int? {
    var depth = 0
    for index in open..<tokens.count {
      switch tokens[index].text {
      case "(", "[", "{": depth += 1
      case ")", "]", "}":
        depth -= 1
        if depth == 0 { return index }
      default: break
      }
    }
    return nil
  }

  /// Returns tokens as text, with one blank where the source has any.
  package func text(_ range: Range<Int>) -> String {
    var text = ""
    for index in range {
      if tokens[index].isApart, index > range.lowerBound { text += " " }
      text += tokens[index].text
    }
    return text
  }

  // MARK: Reading

  private func byte(_ offset: Int = 0) -> UInt8? {
    position + offset < source.count ? source[position + offset] : nil
  }

  private func isNext(_ text: StaticString) -> Bool {
    let end = position + text.utf8CodeUnitCount
    return end <= source.count
      && text.withUTF8Buffer { $0.elementsEqual(source[position..<end]) }
  }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where position < source.count {
      if source[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
  }

  /// Skips one blank character or one comment.
  private mutating func skipBlank() -> Bool {
    if let byte = byte(), byte <= 0x20 {
      advance()
      return true
    }
    if isNext("//") {
      while let byte = byte(), byte != UInt8(ascii: "\n") { advance() }
      return true
    }
    guard isNext("/*") else { return false }
    var depth = 0
    repeat {
      if isNext("/*") { depth += 1 } else if isNext("*/") { depth -= 1 }
      advance(isNext("/*") || isNext("*/") ? 2 : 1)
    } while depth > 0 && position < source.count
    return true
  }

  private mutating func readToken() {
    guard let first = byte() else { return }
    switch first {
    case UInt8(ascii: "\""): readText(hashes: 0)
    case UInt8(ascii: "#"):
      let hashes = source[position...].prefix { $0 == first }.count
      if byte(hashes) == UInt8(ascii: "\"") { return readText(hashes: hashes) }
      if byte(hashes) == UInt8(ascii: "/") { return readPattern(hashes: hashes) }
      advance()
      readName()
    case UInt8(ascii: "`"):
      advance()
      while let byte = byte(), byte != first, byte != UInt8(ascii: "\n") { advance() }
      advance()
    case UInt8(ascii: "-") where isNext("->"): advance(2)
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      while let byte = byte() {
        let isPoint = byte == UInt8(ascii: ".") && (self.byte(1).map(Self.isDigit) ?? false)
        guard Self.isNameByte(byte) || isPoint else { return }
        advance()
      }
    case _ where Self.isNameByte(first): readName()
    default: advance()
    }
  }

  private mutating func readName() {
    while let byte = byte(), Self.isNameByte(byte) { advance() }
  }

  /// Reads a text literal with its interpolations. It begins at the first quote or hash.
  private mutating func readText(hashes: Int) {
    advance(hashes)
    let quotes = isNext("\"\"\"") ? 3 : 1
    advance(quotes)
    let end = [UInt8](repeating: UInt8(ascii: "\""), count: quotes) + Self.hashes(hashes)
    let escape = [UInt8(ascii: "\\")] + Self.hashes(hashes)
    while position < source.count {
      if source[position...].starts(with: end) { return advance(end.count) }
      if quotes == 1, byte() == UInt8(ascii: "\n") { return }
      guard source[position...].starts(with: escape) else {
        advance()
        continue
      }
      advance(escape.count)
      if byte() == UInt8(ascii: "(") { readInterpolation() } else { advance() }
    }
  }

  private mutating func readInterpolation() {
    var depth = 0
    repeat {
      if byte() == UInt8(ascii: "(") { depth += 1 }
      if byte() == UInt8(ascii: ")") { depth -= 1 }
      if !skipBlank() { readToken() }
    } while depth > 0 && position < source.count
  }

  /// Reads a regular expression between `#/` and `/#`.
  private mutating func readPattern(hashes: Int) {
    let end = [UInt8(ascii: "/")] + Self.hashes(hashes)
    advance(hashes + 1)
    while position < source.count, !source[position...].starts(with: end) { advance() }
    advance(end.count)
  }

  private static func hashes(_ count: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(ascii: "#"), count: count)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: isDigit(byte)
    }
  }
}
