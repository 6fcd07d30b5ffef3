/// Walks over JSON (RFC 8259) value by value, without building any of it.
///
/// What is not asked for is skipped, and checked nevertheless. Memory is that of the text and of
/// what is nested: a recording of 100 MB is read at no further cost.
struct JSONCursor {
  let bytes: [UInt8]
  var position = 0
  /// Finding out the line of a place means to read all that stands before it.
  var tellsPlaces = true
  /// The arrays and objects that the cursor is in.
  private var frames: [Frame] = []

  /// How deep arrays and objects may nest.
  static let deepest = 200

  private struct Frame {
    let isObject: Bool
    var name = ""
    /// Of the current element or member; -1 before the first.
    var index = -1
  }

  enum Kind: String {
    case object = "an object"
    case array = "an array"
    case string = "a text"
    case number = "a number"
    case bool = "true or false"
    case null = "null"
  }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  var depth: Int { frames.count }

  // MARK: What comes next

  /// The kind of the value that comes next.
  mutating func kind() throws(HARProblem) -> Kind {
    skipSpace()
    switch try current() {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    default: throw problem(.malformed("a value comes here"))
    }
  }

  mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  /// Makes sure that nothing follows but space.
  mutating func end() throws(HARProblem) {
    skipSpace()
    guard position == bytes.count else {
      throw problem(.malformed("nothing comes after the value, but there is more"))
    }
  }

  // MARK: Arrays and objects

  mutating func enterObject() throws(HARProblem) { try enter(.object) }
  mutating func enterArray() throws(HARProblem) { try enter(.array) }

  private mutating func enter(_ expected: Kind) throws(HARProblem) {
    try require(expected)
    guard frames.count < Self.deepest else {
      throw problem(.nestedTooDeep(limit: Self.deepest))
    }
    position += 1
    frames.append(Frame(isObject: expected == .object))
  }

  /// The place of the next member's name, with its quotes, and moves to its value; nil at the end of
  /// the object, which is left then.
  mutating func nextMember() throws(HARProblem) -> Range<Int>? {
    guard try advance(close: UInt8(ascii: "}")) else { return nil }
    guard try current() == UInt8(ascii: "\"") else {
      throw problem(.malformed("the name of a field stands in quotes"))
    }
    let name = try stringToken()
    skipSpace()
    guard try current() == UInt8(ascii: ":") else {
      throw problem(.malformed("':' comes between name and value"))
    }
    position += 1
    skipSpace()
    return name
  }

  /// The name of the next member; nil at the end of the object.
  mutating func nextName() throws(HARProblem) -> String? {
    guard let token = try nextMember() else { return nil }
    let name = String(decoding: text(of: token), as: UTF8.self)
    frames[frames.count - 1].name = name
    return name
  }

  /// Moves to the next element; false at the end of the array, which is left then.
  mutating func nextElement() throws(HARProblem) -> Bool {
    try advance(close: UInt8(ascii: "]"))
  }

  private mutating func advance(close: UInt8) throws(HARProblem) -> Bool {
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
        throw problem(.malformed("',' or '\(Unicode.Scalar(close))' comes here"))
      }
      position += 1
      skipSpace()
    }
    frames[frames.count - 1].index += 1
    return true
  }

  // MARK: Helpers

  func current() throws(HARProblem) -> UInt8 {
    guard position < bytes.count else { throw problem(.truncated) }
    return bytes[position]
  }

  mutating func require(_ expected: Kind) throws(HARProblem) {
    let found = try kind()
    guard found == expected else {
      throw problem(.wrongType(expected: expected.rawValue, found: found.rawValue))
    }
  }

  /// A problem at the cursor, or at another place.
  func problem(_ reason: HARProblem.Reason, at position: Int? = nil) -> HARProblem {
    guard tellsPlaces else { return HARProblem(reason: reason, place: nil) }
    let place = position ?? self.position
    let before = bytes[..<min(place, bytes.count)]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return HARProblem(
      reason: reason,
      place: HARProblem.Place(
        byte: place,
        line: before.count { $0 == 0x0A } + 1,
        column: before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1,
        path: path
      )
    )
  }

  private var path: String {
    frames.reduce(into: "") { text, frame in
      guard frame.index >= 0 else { return }
      if !frame.isObject {
        text += "[\(frame.index)]"
      } else if !frame.name.isEmpty {
        text += (text.isEmpty ? "" : ".") + frame.name.prefix(40)
      }
    }
  }
}
