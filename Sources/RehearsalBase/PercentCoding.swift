/// Percent escapes in addresses (RFC 3986, section 2.1).
package enum PercentCoding {
  /// The part of a URL that a text is written into. It decides which ASCII characters stay unescaped.
  package enum URLPart: Sendable {
    /// Any part: only letters, digits and `-._~` stay.
    case anywhere
    case segment
    /// A name or a value of a query, in which a plus means a space.
    case query
    /// A whole URL: reserved characters stay.
    case url

    fileprivate func keeps(_ byte: UInt8) -> Bool {
      if byte.isLetter || byte.isDigit { return true }
      return switch self {
      case .anywhere: "-._~".utf8.contains(byte)
      case .segment: "-._~!$&'()*+,;=:@".utf8.contains(byte)
      case .query: "-._~!$'()*,;:@/".utf8.contains(byte)
      case .url: byte > 0x20 && byte < 0x7F && !"\"<>\\^`{|}".utf8.contains(byte)
      }
    }
  }

  // MARK: Encoding

  /// Escapes all non-ASCII characters, and ASCII characters with a meaning in that part.
  package static func encoded(_ text: String, in place: URLPart) -> String {
    encoded(text) { $0.isASCII && place.keeps(UInt8($0.value)) }
  }

  /// Does the same, but keeps letters of other scripts readable.
  package static func readable(_ text: String, in place: URLPart) -> String {
    encoded(text) { scalar in
      scalar.isASCII
        ? place.keeps(UInt8(scalar.value))
        : !scalar.needsEscape && !scalar.properties.isWhitespace
    }
  }

  /// Escapes all non-ASCII characters. Existing escapes stay.
  package static func inASCII(_ text: String) -> String { encoded(text, keeping: \.isASCII) }

  private static func encoded(
    _ text: String,
    keeping isPlain: (Unicode.Scalar) -> Bool
  ) -> String {
    guard !text.unicodeScalars.allSatisfy(isPlain) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if isPlain(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        for byte in String(scalar).utf8 {
          result += byte < 16 ? "%0" : "%"
          result += String(byte, radix: 16, uppercase: true)
        }
      }
    }
  }

  // MARK: Decoding

  /// Returns the decoded bytes, and the offset of the first `%` without two hexadecimal digits, which stays.
  package static func decoded(
    _ written: some BidirectionalCollection<UInt8>,
    plusIsSpace: Bool
  ) -> (bytes: [UInt8], broken: Int?) {
    let bytes = Array(written)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var broken: Int?
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "%"):
        if index + 2 < bytes.count, let high = bytes[index + 1].hexDigit,
          let low = bytes[index + 2].hexDigit
        {
          decoded.append(high << 4 | low)
          index += 2
        } else {
          broken = broken ?? index
          decoded.append(bytes[index])
        }
      case UInt8(ascii: "+") where plusIsSpace: decoded.append(UInt8(ascii: " "))
      case let byte: decoded.append(byte)
      }
      index += 1
    }
    return (decoded, broken)
  }

  /// Decodes escapes as UTF-8. Invalid escapes stay, and so does text whose escapes are not UTF-8.
  package static func decoded(_ text: Substring, plusIsSpace: Bool = false) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      byte != UInt8(ascii: "%") && !(plusIsSpace && byte == UInt8(ascii: "+"))
    }
    if isPlain { return String(text) }
    let bytes = decoded(text.utf8, plusIsSpace: plusIsSpace).bytes
    return String(validating: bytes, as: UTF8.self) ?? String(text)
  }
}
