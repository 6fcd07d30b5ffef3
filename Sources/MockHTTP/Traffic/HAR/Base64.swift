/// Base64 (RFC 4648), as browsers write bodies that are no text.
enum Base64 {
  /// - Returns: nil where a character is none of base64. Line breaks are skipped, and the padding
  ///   may be missing.
  static func decode(_ text: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3 + 3)
    var bits: UInt32 = 0
    var bitCount = 0
    for (index, byte) in text.enumerated() {
      let value = values[Int(byte)]
      if value < 64 {
        bits = bits << 6 | UInt32(value)
        bitCount += 6
        guard bitCount >= 8 else { continue }
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      } else if byte == UInt8(ascii: "=") {
        return isPadding(text[index...]) ? bytes : nil
      } else if !isSpace(byte) {
        return nil
      }
    }
    return bytes
  }

  private static func isPadding(_ rest: ArraySlice<UInt8>) -> Bool {
    rest.allSatisfy { $0 == UInt8(ascii: "=") || isSpace($0) }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x0A || byte == 0x0D || byte == 0x20
  }

  /// By character; 64 for those that are none. The last two are also known in their form for URLs.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 64, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt8(value) }
    values[Int(UInt8(ascii: "-"))] = 62
    values[Int(UInt8(ascii: "_"))] = 63
    return values
  }()
}
