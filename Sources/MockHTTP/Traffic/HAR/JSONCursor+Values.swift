extension JSONCursor {
  // MARK: Values

  /// The next value as bytes of text, its escapes resolved.
  mutating func string() throws(HARProblem) -> [UInt8] {
    try require(.string)
    return text(of: try stringToken())
  }

  /// The next value as a number.
  mutating func number() throws(HARProblem) -> Double {
    try require(.number)
    let token = try scalarToken()
    return Double(String(decoding: bytes[token], as: UTF8.self)) ?? 0
  }

  /// The next value as text; nil for null.
  mutating func optionalString() throws(HARProblem) -> [UInt8]? {
    guard try kind() == .null else { return try string() }
    try skip()
    return nil
  }

  /// The next value as a number; nil for null.
  mutating func optionalNumber() throws(HARProblem) -> Double? {
    guard try kind() == .null else { return try number() }
    try skip()
    return nil
  }

  /// Enters the object that comes next; false, and past it, for null.
  mutating func enterOptionalObject() throws(HARProblem) -> Bool {
    guard try kind() == .null else {
      try enterObject()
      return true
    }
    try skip()
    return false
  }

  /// Enters the array that comes next; false, and past it, for null.
  mutating func enterOptionalArray() throws(HARProblem) -> Bool {
    guard try kind() == .null else {
      try enterArray()
      return true
    }
    try skip()
    return false
  }

  /// Goes past the next value, whatever it is.
  mutating func skip() throws(HARProblem) {
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

  /// Goes past a number, true, false or null.
  mutating func scalarToken() throws(HARProblem) -> Range<Int> {
    let start = position
    while position < bytes.count, Self.isScalarByte(bytes[position]) { position += 1 }
    let token = bytes[start..<position]
    let words: [StaticString] = ["true", "false", "null"]
    let isWord = words.contains { word in
      word.withUTF8Buffer { $0.elementsEqual(token) }
    }
    guard isWord || Self.isNumber(token) else {
      if position == bytes.count { throw problem(.truncated) }
      throw problem(.malformed("this is neither a number nor true, false or null"), at: start)
    }
    return start..<position
  }

  private static func isScalarByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func isNumber(_ token: ArraySlice<UInt8>) -> Bool {
    var rest = token
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    let whole = digits(of: &rest)
    guard whole.count == 1 || (whole.count > 1 && whole.first != UInt8(ascii: "0")) else {
      return false
    }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      if digits(of: &rest).isEmpty { return false }
    }
    if let byte = rest.first, byte | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      if digits(of: &rest).isEmpty { return false }
    }
    return rest.isEmpty
  }

  private static func digits(of rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    rest = rest.dropFirst(digits.count)
    return digits
  }

  /// Goes past a text, its escapes checked; the place includes the quotes.
  mutating func stringToken() throws(HARProblem) -> Range<Int> {
    let start = position
    position += 1
    while true {
      position = endOfPlainText()
      switch try current() {
      case UInt8(ascii: "\""):
        position += 1
        return start..<position
      case UInt8(ascii: "\\"): try checkEscape()
      default: throw problem(.malformed("a control character stands in a text"))
      }
    }
  }

  private func endOfPlainText() -> Int {
    bytes.withUnsafeBufferPointer { buffer in
      var index = position
      while index < buffer.count {
        let byte = buffer[index]
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
        index += 1
      }
      return index
    }
  }

  private mutating func checkEscape() throws(HARProblem) {
    guard position + 1 < bytes.count else { throw problem(.truncated) }
    switch bytes[position + 1] {
    case UInt8(ascii: "u"):
      guard position + 6 <= bytes.count else { throw problem(.truncated) }
      guard bytes[position + 2..<position + 6].allSatisfy({ $0.hexDigit != nil }) else {
        throw problem(.malformed("four hexadecimal digits follow '\\u'"))
      }
      position += 6
    case let byte where Self.plainEscapes[byte] != nil: position += 2
    default: throw problem(.malformed("there is no such escape"))
    }
  }

  private static let plainEscapes: [UInt8: UInt8] = [
    UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F,
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
    UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
  ]

  // MARK: Text of tokens

  /// What a token of `stringToken` means. Half a surrogate pair becomes U+FFFD.
  func text(of token: Range<Int>) -> [UInt8] {
    let content = bytes[token.lowerBound + 1..<token.upperBound - 1]
    guard var escape = content.firstIndex(of: UInt8(ascii: "\\")) else { return Array(content) }
    var text: [UInt8] = []
    text.reserveCapacity(content.count)
    var done = content.startIndex
    while true {
      text += content[done..<escape]
      done = unescape(at: escape, into: &text)
      guard let next = content[done...].firstIndex(of: UInt8(ascii: "\\")) else { break }
      escape = next
    }
    return text + content[done...]
  }

  /// Adds what an escape stands for, and returns where it ends.
  private func unescape(at place: Int, into text: inout [UInt8]) -> Int {
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
    text += Array(String(Character(scalar ?? "\u{FFFD}")).utf8)
    return end
  }

  private func codeUnit(at place: Int) -> UInt32 {
    bytes[place..<place + 4].reduce(0) { $0 << 4 + UInt32($1.hexDigit ?? 0) }
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit.
  var hexDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
