/// Reads one JSON value (RFC 8259) out of a command, with the place of every mistake.
struct JSONReader {
  let bytes: [UInt8]
  var position: Int
  private var depth = 0

  /// How deep arrays and objects may nest.
  static let deepest = 100

  init(bytes: [UInt8], position: Int) {
    self.bytes = bytes
    self.position = position
  }

  mutating func value() throws(Diagnostic) -> JSONValue {
    guard position < bytes.count else {
      throw Diagnostic(.expected("a JSON value", found: nil), at: position..<position)
    }
    switch bytes[position] {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "["): return try nested { reader throws(Diagnostic) in try reader.array() }
    case UInt8(ascii: "{"): return try nested { reader throws(Diagnostic) in try reader.object() }
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: return try literal()
    }
  }

  private mutating func nested(
    _ read: (inout JSONReader) throws(Diagnostic) -> JSONValue
  ) throws(Diagnostic) -> JSONValue {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else {
      throw Diagnostic(.nestedTooDeep(limit: Self.deepest), at: position..<position + 1)
    }
    return try read(&self)
  }

  mutating func skipSpace() {
    while position < bytes.count,
      bytes[position] == 0x20 || (0x09...0x0D).contains(bytes[position])
    { position += 1 }
  }

  private func isNext(_ byte: Unicode.Scalar) -> Bool {
    position < bytes.count && bytes[position] == UInt8(ascii: byte)
  }

  // MARK: Literals and numbers

  private mutating func literal() throws(Diagnostic) -> JSONValue {
    var end = position
    while end < bytes.count, bytes[end].isWordByte { end += 1 }
    let span = position..<max(end, min(position + 1, bytes.count))
    let word = String(decoding: bytes[span], as: UTF8.self)
    switch word {
    case "true":
      position = end
      return .bool(true)
    case "false":
      position = end
      return .bool(false)
    case "null":
      position = end
      return .null
    default:
      let hint: String? =
        if word == "'" {
          "a text stands in double quotes"
        } else if word.utf8.allSatisfy(\.isWordByte) {
          "a text stands in quotes: \"\(word)\""
        } else { nil }
      throw Diagnostic(
        .expected("a JSON value", found: word.printable(atMost: 30)),
        at: span,
        hint: hint
      )
    }
  }

  private mutating func number() throws(Diagnostic) -> JSONValue {
    let start = position
    if isNext("-") { position += 1 }
    let whole = digits()
    var isValid = whole == 1 || (whole > 1 && bytes[position - whole] != UInt8(ascii: "0"))
    if isNext(".") {
      position += 1
      isValid = digits() > 0 && isValid
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if isNext("+") || isNext("-") { position += 1 }
      isValid = digits() > 0 && isValid
    }
    if position < bytes.count, bytes[position].isWordByte {
      isValid = false
      while position < bytes.count, bytes[position].isWordByte { position += 1 }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard isValid else {
      throw Diagnostic(
        .malformedValue("'\(text.escapingControls)' is no number"),
        at: start..<position
      )
    }
    return .number(text)
  }

  private mutating func digits() -> Int {
    let start = position
    while position < bytes.count, bytes[position].isDigit { position += 1 }
    return position - start
  }

  // MARK: Strings

  mutating func string() throws(Diagnostic) -> String {
    let start = position
    position += 1
    let first = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\""),
      bytes[position] != UInt8(ascii: "\\"), bytes[position] >= 0x20
    { position += 1 }
    if isNext("\"") {
      defer { position += 1 }
      return String(decoding: bytes[first..<position], as: UTF8.self)
    }
    var decoded = Array(bytes[first..<position])
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: decoded, as: UTF8.self)
      case UInt8(ascii: "\\"):
        try escape(into: &decoded, string: start)
      case 0x0A, 0x09, 0x20...:
        decoded.append(bytes[position])
        position += 1
      default:
        throw Diagnostic(
          .malformedValue("a control character stands in a text"),
          at: position..<position + 1,
          hint: "write it as \\u0007, with its code"
        )
      }
    }
    throw Diagnostic(.unfinished("the text"), at: start..<start + 1, hint: "close it with a quote")
  }

  private mutating func escape(into decoded: inout [UInt8], string start: Int) throws(Diagnostic) {
    let place = position
    guard position + 1 < bytes.count else {
      throw Diagnostic(
        .unfinished("the text"),
        at: start..<start + 1,
        hint: "close it with a quote"
      )
    }
    let kind = bytes[position + 1]
    position += 2
    switch kind {
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(kind)
    case UInt8(ascii: "u"): decoded.append(contentsOf: Array(String(try scalar(from: place)).utf8))
    default:
      throw Diagnostic(
        .malformedValue(
          "there is no escape '\(String(decoding: bytes[place..<position], as: UTF8.self).escapingControls)'"
        ),
        at: place..<position,
        hint: "the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u0000"
      )
    }
  }

  /// The scalar of a `\u` escape, whose four digits come next; two escapes may make one scalar.
  private mutating func scalar(from place: Int) throws(Diagnostic) -> Unicode.Scalar {
    let first = try codeUnit(from: place)
    if let scalar = Unicode.Scalar(first) { return scalar }
    if first < 0xDC00, isNext("\\"), position + 1 < bytes.count,
      bytes[position + 1] == UInt8(ascii: "u")
    {
      position += 2
      let second = try codeUnit(from: place)
      if (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(
          0x10000 + (UInt32(first - 0xD800) << 10) + UInt32(second - 0xDC00)
        )
      {
        return scalar
      }
    }
    throw Diagnostic(.malformedValue("half of a surrogate pair"), at: place..<position)
  }

  private mutating func codeUnit(from place: Int) throws(Diagnostic) -> UInt16 {
    let digits = bytes[position..<min(position + 4, bytes.count)]
    guard digits.count == 4, digits.allSatisfy({ $0.isDigit || $0.isLetter }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else {
      throw Diagnostic(
        .malformedValue("four hexadecimal digits follow '\\u'"),
        at: place..<position
      )
    }
    position += 4
    return unit
  }

  // MARK: Arrays and objects

  private mutating func array() throws(Diagnostic) -> JSONValue {
    let start = position
    position += 1
    var values: [JSONValue] = []
    skipSpace()
    if isNext("]") {
      position += 1
      return .array(values)
    }
    while true {
      skipSpace()
      try requireMore(of: "the array", from: start, close: "]")
      values.append(try value())
      skipSpace()
      try requireMore(of: "the array", from: start, close: "]")
      if isNext("]") {
        position += 1
        return .array(values)
      }
      guard isNext(",") else { throw separatorMissing("]") }
      position += 1
    }
  }

  private mutating func object() throws(Diagnostic) -> JSONValue {
    let start = position
    position += 1
    var fields: [JSONValue.Field] = []
    var names = FieldNames()
    skipSpace()
    if isNext("}") {
      position += 1
      return .object(fields)
    }
    while true {
      skipSpace()
      try requireMore(of: "the object", from: start, close: "}")
      fields.append(try field(knowing: &names, start))
      skipSpace()
      try requireMore(of: "the object", from: start, close: "}")
      if isNext("}") {
        position += 1
        return .object(fields)
      }
      guard isNext(",") else { throw separatorMissing("}") }
      position += 1
    }
  }

  private mutating func field(
    knowing names: inout FieldNames,
    _ start: Int
  ) throws(Diagnostic) -> JSONValue.Field {
    guard isNext("\"") else {
      throw Diagnostic(
        .malformedValue("the name of a field stands in quotes"),
        at: position..<position + 1
      )
    }
    let nameStart = position
    let name = try string()
    guard names.insert(name) else {
      throw Diagnostic(.repeatedField(name.printable(atMost: 30)), at: nameStart..<position)
    }
    skipSpace()
    guard isNext(":") else {
      try requireMore(of: "the object", from: nameStart, close: "}")
      throw Diagnostic(
        .malformedValue("':' comes between name and value"),
        at: position..<position + 1
      )
    }
    position += 1
    skipSpace()
    try requireMore(of: "the object", from: start, close: "}")
    return JSONValue.Field(name: name, value: try value())
  }

  private func requireMore(of what: String, from start: Int, close: String) throws(Diagnostic) {
    guard position == bytes.count else { return }
    throw Diagnostic(.unfinished(what), at: start..<start + 1, hint: "close it with '\(close)'")
  }

  private func separatorMissing(_ close: String) -> Diagnostic {
    Diagnostic(.malformedValue("',' or '\(close)' comes here"), at: position..<position + 1)
  }
}
