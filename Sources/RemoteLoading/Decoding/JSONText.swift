/// A JSON value as it stands in a text, to explain why it does not decode.
enum JSONText {
  case null
  case bool(Bool)
  /// As it was written.
  case number(String)
  case string(String)
  case array([JSONText])
  case object([(name: String, value: JSONText)])

  /// What kind of value it is, in words.
  var kindInWords: String {
    switch self {
    case .null: "null"
    case .bool: "a Bool"
    case .number(let text): text.utf8.contains { ".eE".utf8.contains($0) } ? "a Double" : "an Int"
    case .string: "a String"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The value itself where it is a short one, for mistakes that are not about its kind.
  var inWords: String {
    switch self {
    case .number(let text): text
    case .string(let text): text.quoted()
    case .bool(let isTrue): "\(isTrue)"
    case .null, .array, .object: kindInWords
    }
  }

  /// Where and why a text is no JSON.
  struct Problem: Error {
    let message: String
  }

  /// Reads what Foundation's decoder reads, a comma before a closing bracket included, and not more.
  ///
  /// - Throws: the first thing that is wrong, with its place.
  init(_ bytes: [UInt8]) throws(Problem) {
    if let problem = Self.problemOfUTF8(in: bytes) { throw Problem(message: problem) }
    var reader = JSONTextReader(bytes)
    self = try reader.document()
  }

  /// What is wrong with bytes that should be UTF-8; nil for nothing.
  static func problemOfUTF8(in bytes: [UInt8]) -> String? {
    guard let offset = brokenUTF8(in: bytes) else { return nil }
    return "no UTF-8: byte \(hexadecimal(bytes[offset...offset])) at offset \(offset)"
  }

  /// The offset of the first byte that is no part of UTF-8.
  private static func brokenUTF8(in bytes: [UInt8]) -> Int? {
    var parser = UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar): offset += scalar.count
      case .error: return offset
      case .emptyInput: return nil
      }
    }
  }
}

/// Bytes as they are written in a dump: `7f 45 4c`.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
}
