/// Base64 (RFC 4648).
package enum Base64 {
  /// An accepted form of base64.
  package enum Form {
    /// The form of section 4, with padding.
    case strict
    /// The form of browsers: line breaks are skipped, padding may be missing, and the URL alphabet
    /// is accepted too.
    case lenient
  }

  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )
  private static let padding = UInt8(ascii: "=")

  // MARK: Writing

  package static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
      for index in 0..<4 {
        let letter = letters[Int(bits >> (18 - 6 * UInt32(index)) & 63)]
        text.append(index <= group.count ? letter : padding)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: Reading

  /// Decodes base64.
  ///
  /// - Returns: nil if the text is not base64 in this form.
  package static func bytes(_ text: [UInt8], _ form: Form = .strict) -> [UInt8]? {
    let end = text.firstIndex(of: padding) ?? text.count
    guard isEnding(text[end...], of: text.count, form) else { return nil }
    let values = form == .strict ? strictValues : lenientValues
    var bytes: [UInt8] = []
    bytes.reserveCapacity(end / 4 * 3 + 3)
    var bits: UInt32 = 0
    var bitCount = 0
    for byte in text[..<end] {
      let value = values[Int(byte)]
      if value < 64 {
        bits = bits << 6 | UInt32(value)
        bitCount += 6
        guard bitCount >= 8 else { continue }
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      } else if form == .strict || !isSpace(byte) {
        return nil
      }
    }
    return bytes
  }

  private static func isEnding(_ rest: ArraySlice<UInt8>, of count: Int, _ form: Form) -> Bool {
    switch form {
    case .strict:
      count.isMultiple(of: 4) && rest.count <= 2 && rest.allSatisfy { $0 == padding }
    case .lenient: rest.allSatisfy { $0 == padding || isSpace($0) }
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x0A || byte == 0x0D || byte == 0x20
  }

  /// The value of each character; 64 for invalid ones.
  private static let strictValues: [UInt8] = {
    var values = [UInt8](repeating: 64, count: 256)
    for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()
  private static let lenientValues: [UInt8] = {
    var values = strictValues
    values[Int(UInt8(ascii: "-"))] = 62
    values[Int(UInt8(ascii: "_"))] = 63
    return values
  }()
}
