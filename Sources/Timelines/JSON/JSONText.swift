import Script

/// JSON that is being written, piece by piece.
///
/// Texts are escaped so far that they neither steer a terminal nor end a `<script>` that holds them.
struct JSONText {
  private(set) var bytes: [UInt8] = []

  /// The finished text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Appends what is JSON already: brackets, names of fields, literals.
  mutating func append(_ json: String) {
    bytes.append(contentsOf: json.utf8)
  }

  mutating func append(_ json: JSONText) {
    bytes += json.bytes
  }

  /// Appends a text with its quotes.
  mutating func append(text: String) {
    bytes.append(UInt8(ascii: "\""))
    if text.utf8.allSatisfy(Self.isPlain) {
      append(text)
    } else {
      for scalar in text.unicodeScalars { append(scalar) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends a field if it has a value: `, "name": …`.
  mutating func append(field name: String, _ value: String?) {
    guard let value else { return }
    append(", \"\(name)\": ")
    append(text: value)
  }

  mutating func append(field name: String, _ value: Int?) {
    guard let value else { return }
    append(", \"\(name)\": \(value)")
  }

  /// Appends a field if it is true.
  mutating func append(field name: String, _ value: Bool) {
    if value { append(", \"\(name)\": true") }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "<"): false
    default: (0x20..<0x7F).contains(byte)
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": append("\\\"")
    case "\\": append("\\\\")
    case "\n": append("\\n")
    case "\r": append("\\r")
    case "\t": append("\\t")
    case _ where scalar == "<" || scalar.needsEscape:
      // Beyond the first plane it takes a pair of surrogates.
      for unit in String(scalar).utf16 {
        let hex = String(unit, radix: 16)
        append("\\u" + String(repeating: "0", count: 4 - hex.count) + hex)
      }
    default: bytes.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
    }
  }
}
