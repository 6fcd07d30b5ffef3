/// Builds JSON text piece by piece. All JSON output goes through it.
package struct JSONText: Sendable {
  /// The characters that are escaped in addition to those of RFC 8259.
  package enum Escaping: Sendable {
    /// Nothing.
    case required
    /// Also characters that move the caret of a terminal, reorder text or are invisible.
    case controls
    /// Also `<`, which could end a `<script>` element.
    case markup
  }

  package private(set) var bytes: [UInt8] = []
  private let escaping: Escaping

  package init(escaping: Escaping = .markup) {
    self.escaping = escaping
  }

  /// The finished text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Appends JSON text: brackets, names of fields, literals.
  package mutating func append(_ json: String) {
    bytes.append(contentsOf: json.utf8)
  }

  package mutating func append(_ json: JSONText) {
    bytes += json.bytes
  }

  /// Appends a quoted string. A text of more than `limit` scalars is cut, and its size and a digest of the whole text are
  /// added.
  package mutating func append(text: String, limit: Int = .max) {
    bytes.append(UInt8(ascii: "\""))
    if text.utf8.count <= limit, text.utf8.allSatisfy(isPlain) {
      append(text)
    } else {
      var left = limit
      for scalar in text.unicodeScalars {
        guard left > 0 else {
          return append("…\" (\(text.utf8.count) bytes, digest \(FNV1a.shortDigest(of: text)))")
        }
        left -= 1
        append(scalar)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends a field if it has a value: `, "name": …`.
  package mutating func append(field name: String, _ value: String?) {
    guard let value else { return }
    append(", \"\(name)\": ")
    append(text: value)
  }

  package mutating func append(field name: String, _ value: Int?) {
    guard let value else { return }
    append(", \"\(name)\": \(value)")
  }

  /// Returns the text between the quotes of a string.
  package static func escaped(_ text: String, _ escaping: Escaping) -> String {
    var json = JSONText(escaping: escaping)
    json.append(text: text)
    return String(decoding: json.bytes.dropFirst().dropLast(), as: UTF8.self)
  }

  private func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): false
    case UInt8(ascii: "<"): escaping != .markup
    case 0x7F...: escaping == .required
    default: byte >= 0x20
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": append("\\\"")
    case "\\": append("\\\\")
    case "\n": append("\\n")
    case "\r": append("\\r")
    case "\t": append("\\t")
    case _ where mustBeEscaped(scalar):
      // Scalars above U+FFFF need a surrogate pair.
      for unit in String(scalar).utf16 {
        let hex = String(unit, radix: 16)
        append("\\u" + String(repeating: "0", count: 4 - hex.count) + hex)
      }
    default: bytes.append(contentsOf: String(scalar).utf8)
    }
  }

  private func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20
      || escaping != .required && scalar.needsEscape
      || escaping == .markup && scalar == "<"
  }
}
