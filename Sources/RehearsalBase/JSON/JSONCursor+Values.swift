/// Reads strings, numbers, objects and arrays of JSON, and resolves escapes.
extension JSONCursor {
  // MARK: Values

  /// Returns the next string as bytes, with its escapes resolved.
  package mutating func string() throws(JSONProblem) -> [UInt8] {
    try require(.string)
    return text(of: try stringToken())
  }

  /// Returns the next value as a number.
  package mutating func number() throws(JSONProblem) -> Double {
    try require(.number)
    let token = try scalarToken()
    return Double(String(decoding: bytes[token], as: UTF8.self)) ?? 0
  }

  /// Returns the next string; nil for null.
  package mutating func optionalString() throws(JSONProblem) -> [UInt8]? {
    guard try kind() == .null else { return try string() }
    try skip()
    return nil
  }

  /// Returns the next number; nil for null.
  package mutating func optionalNumber() throws(JSONProblem) -> Double? {
    guard try kind() == .null else { return try number() }
    try skip()
    return nil
  }

  /// Enters the next object. Skips null and returns false.
  package mutating func enterOptionalObject() throws(JSONProblem) -> Bool {
    guard try kind() == .null else {
      try enterObject()
      return true
    }
    try skip()
    return false
  }

  /// Enters the next array. Skips null and returns false.
  package mutating func enterOptionalArray() throws(JSONProblem) -> Bool {
    guard try kind() == .null else {
      try enterArray()
      return true
    }
    try skip()
    return false
  }

  /// Skips the next value of any kind.
  package mutating func skip() throws(JSONProblem) {
    let outside = depth
    var isInObject: [Bool] = []
    repeat {
      switch try kind() {
      case .object:
        try enterObject()
        isInObject.append(true)
      case .array:
        try enterArray()
        isInObject.append(false)
      case .string: _ = try stringToken()
      case .number, .bool, .null: _ = try scalarToken()
      }
      while let isObject = isInObject.last {
        let hasMore = isObject ? try nextMember() != nil : try nextElement()
        if hasMore { break }
        isInObject.removeLast()
      }
    } while depth > outside
  }

  // MARK: Tokens

  /// Skips a number, true, false or null.
  package mutating func scalarToken() throws(JSONProblem) -> Range<Int> {
    let start = position
    if bytes[start] == UInt8(ascii: "-") || bytes[start].isDigit { return try numberToken() }
    while position < bytes.count, bytes[position].isWordByte { position += 1 }
    let words: [StaticString] = ["true", "false", "null"]
    let isWord = words.contains { word in
      word.withUTF8Buffer { $0.elementsEqual(bytes[start..<position]) }
    }
    guard isWord else {
      let word = String(decoding: bytes[start..<position], as: UTF8.self)
      throw JSONProblem(.notAValue(word), at: start..<position)
    }
    return start..<position
  }

  private mutating func numberToken() throws(JSONProblem) -> Range<Int> {
    let start = position
    _ = accept("-")
    let whole = digits()
    var isValid = whole == 1 || (whole > 1 && bytes[position - whole] != UInt8(ascii: "0"))
    if accept(".") { isValid = digits() > 0 && isValid }
    if accept("e") || accept("E") {
      if !accept("+") { _ = accept("-") }
      isValid = digits() > 0 && isValid
    }
    while position < bytes.count, bytes[position].isWordByte {
      isValid = false
      position += 1
    }
    guard isValid else {
      let text = String(decoding: bytes[start..<position], as: UTF8.self)
      throw JSONProblem(.notANumber(text), at: start..<position)
    }
    return start..<position
  }

  private mutating func accept(_ byte: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  private mutating func digits() -> Int {
    let start = position
    while position < bytes.count, bytes[position].isDigit { position += 1 }
    return position - start
  }

  /// Skips a string and checks its escapes. The range includes the quotes.
  package mutating func stringToken() throws(JSONProblem) -> Range<Int> {
    let start = position
    position += 1
    while true {
      position = endOfPlainText()
      guard position < bytes.count else { throw unfinishedText(from: start) }
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return start..<position
      case UInt8(ascii: "\\"): try checkEscape(ofTextAt: start)
      default: throw problem(.controlCharacter)
      }
    }
  }

  private func unfinishedText(from start: Int) -> JSONProblem {
    JSONProblem(.unfinished(.string), at: start..<start + 1)
  }

  private func endOfPlainText() -> Int {
    bytes.withUnsafeBufferPointer { buffer in
      var index = position
      while index < buffer.count, isPlain(buffer[index]) { index += 1 }
      return index
    }
  }

  private mutating func checkEscape(ofTextAt start: Int) throws(JSONProblem) {
    guard position + 1 < bytes.count else { throw unfinishedText(from: start) }
    switch bytes[position + 1] {
    case UInt8(ascii: "u"):
      let digits = bytes[position + 2..<min(position + 6, bytes.count)]
      guard digits.allSatisfy({ $0.hexDigit != nil }) else {
        throw JSONProblem(.malformedCodeUnit, at: position..<position + 2)
      }
      guard digits.count == 4 else { throw unfinishedText(from: start) }
      position += 6
    case let byte where Self.plainEscapes[byte] != nil: position += 2
    default:
      let end = bytes[(position + 2)...].firstIndex { $0 & 0xC0 != 0x80 } ?? bytes.count
      let escape = String(decoding: bytes[position..<end], as: UTF8.self)
      throw JSONProblem(.unknownEscape(escape), at: position..<end)
    }
  }

  private static let plainEscapes: [UInt8: UInt8] = [
    UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F,
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
    UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
  ]

  // MARK: Text of tokens

  /// Returns the text of a token of `stringToken`. An unpaired surrogate becomes U+FFFD.
  package func text(of token: Range<Int>) -> [UInt8] {
    var half: Range<Int>?
    return text(of: token, loneSurrogate: &half)
  }

  /// Returns the text of a token of `stringToken`, and the range of an unpaired surrogate in it.
  func text(of token: Range<Int>, loneSurrogate: inout Range<Int>?) -> [UInt8] {
    let content = bytes[token.lowerBound + 1..<token.upperBound - 1]
    guard var escape = content.firstIndex(of: UInt8(ascii: "\\")) else { return Array(content) }
    var text: [UInt8] = []
    text.reserveCapacity(content.count)
    var done = content.startIndex
    while true {
      text += content[done..<escape]
      done = unescape(at: escape, into: &text, loneSurrogate: &loneSurrogate)
      guard let next = content[done...].firstIndex(of: UInt8(ascii: "\\")) else { break }
      escape = next
    }
    return text + content[done...]
  }

  /// Appends the character of an escape, and returns the end of the escape.
  private func unescape(
    at place: Int,
    into text: inout [UInt8],
    loneSurrogate: inout Range<Int>?
  ) -> Int {
    if let byte = Self.plainEscapes[bytes[place + 1]] {
      text.append(byte)
      return place + 2
    }
    let first = codeUnit(at: place + 2)
    var end = place + 6
    var scalar = Unicode.Scalar(first)
    if (0xD800..<0xDC00).contains(first), end + 6 <= bytes.count,
      bytes[end] == UInt8(ascii: "\\"), bytes[end + 1] == UInt8(ascii: "u")
    {
      let second = codeUnit(at: end + 2)
      if (0xDC00..<0xE000).contains(second) {
        scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        end += 6
      }
    }
    if scalar == nil, loneSurrogate == nil { loneSurrogate = place..<end }
    text += Array(String(Character(scalar ?? "\u{FFFD}")).utf8)
    return end
  }

  private func codeUnit(at place: Int) -> UInt32 {
    bytes[place..<place + 4].reduce(0) { $0 << 4 + UInt32($1.hexDigit ?? 0) }
  }
}
