/// Percent escapes in addresses (RFC 3986, section 2.1).
enum PercentCoding {
  /// The part of an address that a text is written into: what stands there for itself differs.
  enum Place { case segment, query }

  /// The text in which whatever has a meaning of its own at that place is escaped.
  static func escaped(_ text: String, in place: Place) -> String {
    guard !text.utf8.allSatisfy({ isPlain($0, in: place) }) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      let isReadable =
        scalar.isASCII
        ? isPlain(UInt8(scalar.value), in: place)
        : !scalar.needsEscape && !scalar.properties.isWhitespace
      if isReadable { result.unicodeScalars.append(scalar) } else { result += escape(scalar) }
    }
  }

  /// The same with nothing but ASCII, as a request sends it; escapes that are there stay.
  static func encoded(_ written: String) -> String {
    guard !written.utf8.allSatisfy({ $0 < 0x80 }) else { return written }
    return written.unicodeScalars.reduce(into: "") { result, scalar in
      if scalar.isASCII { result.unicodeScalars.append(scalar) } else { result += escape(scalar) }
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf8.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return (digits.utf8.count == 1 ? "%0" : "%") + digits
    }.joined()
  }

  private static func isPlain(_ byte: UInt8, in place: Place) -> Bool {
    if byte.isLetter || byte.isDigit { return true }
    return switch place {
    case .segment: "-._~!$&'()*+,;=:@".utf8.contains(byte)
    case .query: "-._~!$'()*,;:@/".utf8.contains(byte)
    }
  }

  /// The bytes behind the escapes; the offset of the first `%` that begins none, if there is one.
  static func decoded(
    _ written: ArraySlice<UInt8>,
    in place: Place
  ) -> Result<[UInt8], BrokenEscape> {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(written.count)
    var position = written.startIndex
    while position < written.endIndex {
      let byte = written[position]
      if byte == UInt8(ascii: "%") {
        guard position + 2 < written.endIndex, let high = hexValue(written[position + 1]),
          let low = hexValue(written[position + 2])
        else { return .failure(BrokenEscape(offset: position)) }
        decoded.append(high << 4 | low)
        position += 3
      } else {
        let isBlank = byte == UInt8(ascii: "+") && place == .query
        decoded.append(isBlank ? UInt8(ascii: " ") : byte)
        position += 1
      }
    }
    return .success(decoded)
  }

  struct BrokenEscape: Error {
    let offset: Int
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    if byte.isDigit { return byte - UInt8(ascii: "0") }
    let letter = byte | 0x20
    guard (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(letter) else { return nil }
    return letter - UInt8(ascii: "a") + 10
  }
}
