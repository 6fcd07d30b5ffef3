/// Parses JSON (RFC 8259) value by value without building a tree. All JSON input goes through it.
///
/// It also checks skipped values. Apart from the text, it needs memory only for each level of nesting.
package struct JSONCursor {
  package let bytes: [UInt8]
  package var position: Int
  /// Whether strings may contain unescaped line breaks and tabs, which RFC 8259 forbids.
  private let textsMaySpanLines: Bool
  /// The open arrays and objects.
  private var frames: [Frame] = []

  /// Maximum depth of arrays and objects, the same as in Foundation's decoder.
  package static let deepest = 512

  private struct Frame {
    let kind: Kind
    let start: Int
    var name = ""
    /// The index of the current element or member; -1 before the first.
    var index = -1
  }

  package enum Kind: String, Sendable {
    case object, array, number, bool, null
    case string = "text"

    package var withArticle: String {
      switch self {
      case .object: "an object"
      case .array: "an array"
      case .string: "a text"
      case .number: "a number"
      case .bool: "true or false"
      case .null: "null"
      }
    }
  }

  /// Creates a cursor at a position of a longer text, such as a command, whose strings may span lines.
  package init(_ bytes: [UInt8], at position: Int, textsMaySpanLines: Bool = false) {
    self.bytes = bytes
    self.position = position
    self.textsMaySpanLines = textsMaySpanLines
  }

  /// Creates a cursor at the start of a document, after its byte order mark if it has one.
  package init(_ bytes: [UInt8]) {
    self.init(bytes, at: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
  }

  package var depth: Int { frames.count }

  // MARK: The next value

  /// Returns the kind of the next value.
  package mutating func kind() throws(JSONProblem) -> Kind {
    skipSpace()
    guard position < bytes.count else { throw problem(.notAValue("")) }
    switch bytes[position] {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    default: throw notAValue()
    }
  }

  package mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  /// Checks that only white space follows.
  package mutating func end() throws(JSONProblem) {
    skipSpace()
    guard position == bytes.count else { throw problem(.textAfterValue) }
  }

  // MARK: Arrays and objects

  package mutating func enterObject() throws(JSONProblem) { try enter(.object) }
  package mutating func enterArray() throws(JSONProblem) { try enter(.array) }

  private mutating func enter(_ expected: Kind) throws(JSONProblem) {
    try require(expected)
    guard frames.count < Self.deepest else { throw problem(.nestedTooDeep) }
    frames.append(Frame(kind: expected, start: position))
    position += 1
  }

  /// Moves to the value of the next member, and returns the range of its name with quotes; nil at the end of the object,
  /// which is then closed.
  package mutating func nextMember() throws(JSONProblem) -> Range<Int>? {
    guard let name = try nextNameToken() else { return nil }
    try enterMember()
    return name
  }

  /// Returns the range of the next member's name; nil at the end of the object. `enterMember` moves to its value.
  mutating func nextNameToken() throws(JSONProblem) -> Range<Int>? {
    guard try advance(close: UInt8(ascii: "}")) else { return nil }
    guard bytes[position] == UInt8(ascii: "\"") else { throw problem(.nameWithoutQuotes) }
    return try stringToken()
  }

  /// Skips the colon after a name.
  mutating func enterMember() throws(JSONProblem) {
    skipSpace()
    guard try current() == UInt8(ascii: ":") else { throw problem(.missingColon) }
    position += 1
    skipSpace()
    _ = try current()
  }

  /// Returns the name of the next member; nil at the end of the object.
  package mutating func nextName() throws(JSONProblem) -> String? {
    guard let token = try nextMember() else { return nil }
    let name = String(decoding: text(of: token), as: UTF8.self)
    frames[frames.count - 1].name = name
    return name
  }

  /// Moves to the next element; false at the end of the array, which is then closed.
  package mutating func nextElement() throws(JSONProblem) -> Bool {
    try advance(close: UInt8(ascii: "]"))
  }

  private mutating func advance(close: UInt8) throws(JSONProblem) -> Bool {
    skipSpace()
    let isFirst = frames[frames.count - 1].index < 0
    let byte = try current()
    if byte == close {
      position += 1
      frames.removeLast()
      return false
    }
    if !isFirst {
      guard byte == UInt8(ascii: ",") else {
        throw problem(.missingSeparator(close: Unicode.Scalar(close)))
      }
      position += 1
      skipSpace()
      _ = try current()
    }
    frames[frames.count - 1].index += 1
    return true
  }

  // MARK: Helpers

  /// Whether a byte may occur unescaped in a string.
  func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): false
    case 0x09, 0x0A: textsMaySpanLines
    default: byte >= 0x20
    }
  }

  /// Returns the next byte of the innermost array or object.
  private func current() throws(JSONProblem) -> UInt8 {
    guard position < bytes.count else {
      guard let frame = frames.last else { throw problem(.notAValue("")) }
      throw JSONProblem(.unfinished(frame.kind), at: frame.start..<frame.start + 1)
    }
    return bytes[position]
  }

  package mutating func require(_ expected: Kind) throws(JSONProblem) {
    let found = try kind()
    guard found == expected else { throw problem(.wrongKind(expected: expected, found: found)) }
  }

  /// Creates a problem with the next byte.
  func problem(_ reason: JSONProblem.Reason) -> JSONProblem {
    JSONProblem(reason, at: position..<min(position + 1, bytes.count))
  }

  private func notAValue() -> JSONProblem {
    var end = position
    while end < bytes.count, bytes[end].isWordByte { end += 1 }
    let range = position..<max(end, position + 1)
    return JSONProblem(.notAValue(String(decoding: bytes[range], as: UTF8.self)), at: range)
  }

  /// The path of the current value, such as `log.entries[3].status`; empty at the top.
  package var path: String {
    frames.reduce(into: "") { text, frame in
      guard frame.index >= 0 else { return }
      if frame.kind == .array {
        text += "[\(frame.index)]"
      } else if !frame.name.isEmpty {
        text += (text.isEmpty ? "" : ".") + frame.name.prefix(40)
      }
    }
  }
}
