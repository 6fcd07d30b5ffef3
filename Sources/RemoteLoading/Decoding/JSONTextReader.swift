/// Reads JSON by its grammar, RFC 8259.
struct JSONTextReader {
  /// As deep as Foundation's decoder goes.
  private static let deepest = 512

  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
  }

  mutating func document() throws(JSONText.Problem) -> JSONText {
    skipSpace()
    if position == bytes.count { throw JSONText.Problem(message: "nothing") }
    let value = try value()
    skipSpace()
    if position < bytes.count { throw problem() }
    return value
  }

  private mutating func value() throws(JSONText.Problem) -> JSONText {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func object() throws(JSONText.Problem) -> JSONText {
    var fields: [(name: String, value: JSONText)] = []
    try list(closedBy: UInt8(ascii: "}")) { reader throws(JSONText.Problem) in
      let name = try reader.string()
      reader.skipSpace()
      try reader.take(UInt8(ascii: ":"))
      fields.append((name, try reader.value()))
    }
    return .object(fields)
  }

  private mutating func array() throws(JSONText.Problem) -> JSONText {
    var elements: [JSONText] = []
    try list(closedBy: UInt8(ascii: "]")) { reader throws(JSONText.Problem) in
      elements.append(try reader.value())
    }
    return .array(elements)
  }

  private mutating func list(
    closedBy close: UInt8,
    element: (inout JSONTextReader) throws(JSONText.Problem) -> Void
  ) throws(JSONText.Problem) {
    depth += 1
    if depth > Self.deepest { throw JSONText.Problem(message: "more than \(Self.deepest) levels") }
    position += 1
    skipSpace()
    while next != close {
      try element(&self)
      skipSpace()
      if next != close { try take(UInt8(ascii: ",")) }
      skipSpace()
    }
    position += 1
    depth -= 1
  }

  // MARK: Leaves

  private mutating func number() throws(JSONText.Problem) -> String {
    let start = position
    accept("-")
    if !accept("0") { try digits() }
    if accept(".") { try digits() }
    if accept("eE") {
      accept("+-")
      try digits()
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func digits() throws(JSONText.Problem) {
    guard accept("0123456789") else { throw problem() }
    while accept("0123456789") {}
  }

  private mutating func string() throws(JSONText.Problem) -> String {
    try take(UInt8(ascii: "\""))
    var units: [UInt16] = []
    var start = position
    func run() -> String.UTF16View {
      String(decoding: bytes[start..<position], as: UTF8.self).utf16
    }
    while let byte = next, byte != UInt8(ascii: "\"") {
      if byte < 0x20 { throw problem() }
      guard byte == UInt8(ascii: "\\") else {
        position += 1
        continue
      }
      units += run()
      units.append(try escape())
      start = position
    }
    units += run()
    try take(UInt8(ascii: "\""))
    return String(decoding: units, as: UTF16.self)
  }

  private mutating func escape() throws(JSONText.Problem) -> UInt16 {
    position += 1
    guard let letter = next else { throw problem() }
    if letter == UInt8(ascii: "u") {
      let digits = bytes[min(position + 1, bytes.count)..<min(position + 5, bytes.count)]
      guard digits.count == 4,
        digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
        let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
      else { throw problem() }
      position += 5
      return unit
    }
    guard let index = Self.escapes.firstIndex(of: letter) else { throw problem() }
    position += 1
    return Self.escaped[index]
  }

  private static let escapes = Array("\"\\/bfnrt".utf8)
  private static let escaped: [UInt16] = [0x22, 0x5c, 0x2f, 0x08, 0x0c, 0x0a, 0x0d, 0x09]

  private mutating func word(
    _ word: String,
    _ value: JSONText
  ) throws(JSONText.Problem) -> JSONText {
    for letter in word.utf8 { try take(letter) }
    return value
  }

  // MARK: Bytes

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while accept(" \n\r\t") {}
  }

  private mutating func take(_ byte: UInt8) throws(JSONText.Problem) {
    guard next == byte else { throw problem() }
    position += 1
  }

  @discardableResult
  private mutating func accept(_ set: StaticString) -> Bool {
    guard let next, set.withUTF8Buffer({ $0.contains(next) }) else { return false }
    position += 1
    return true
  }

  /// What stands here is not what may follow.
  private func problem() -> JSONText.Problem {
    let before = bytes[..<position]
    let line = before.count { $0 == 0x0a } + 1
    let start = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    let column = String(decoding: before[start...], as: UTF8.self).count + 1
    let what = position < bytes.count ? "no JSON from" : "JSON that is cut off at"
    return JSONText.Problem(message: "\(what) line \(line), column \(column)")
  }
}
