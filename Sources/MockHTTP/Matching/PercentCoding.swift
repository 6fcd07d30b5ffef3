/// Percent escapes, and the parts of a request's target.
package enum PercentCoding {
  private static let percent = UInt8(ascii: "%")
  private static let plus = UInt8(ascii: "+")
  private static let slash = UInt8(ascii: "/")

  /// The path in front of the query, and what stands behind the question mark.
  package static func parts(of target: String) -> (path: Substring, query: Substring?) {
    guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else {
      return (target[...], nil)
    }
    return (target[..<mark], target[target.utf8.index(after: mark)...])
  }

  /// What stands between the slashes; nothing for `/` and for an empty path.
  package static func rawSegments(of path: Substring) -> [Substring] {
    let inner = path.utf8.first == slash ? path[path.utf8.index(after: path.startIndex)...] : path
    guard !inner.isEmpty else { return [] }
    return inner.utf8.split(separator: slash, omittingEmptySubsequences: false).map {
      Substring($0)
    }
  }

  package static func segments(of path: Substring) -> [String] {
    rawSegments(of: path).map { decoded($0) }
  }

  /// Escapes resolved as UTF-8. An escape that is broken, and text whose escapes are no UTF-8, stays.
  /// A plus is a space in forms, and in queries with them.
  package static func decoded(_ text: Substring, plusIsSpace: Bool = false) -> String {
    guard text.utf8.contains(where: { $0 == percent || plusIsSpace && $0 == plus }) else {
      return String(text)
    }
    let bytes = decodedBytes(Array(text.utf8), plusIsSpace: plusIsSpace)
    return String(validating: bytes, as: UTF8.self) ?? String(text)
  }

  private static func decodedBytes(_ bytes: [UInt8], plusIsSpace: Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == percent, index + 2 < bytes.count, let high = value(bytes[index + 1]),
        let low = value(bytes[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(plusIsSpace && bytes[index] == plus ? UInt8(ascii: " ") : bytes[index])
        index += 1
      }
    }
    return result
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// A segment as a path carries it: whatever would mean something else there is escaped.
  package static func encodedSegment(_ text: String) -> String {
    encoded(text, also: "!$&'()*+,;=:@")
  }

  /// A name or a value as a query carries it.
  package static func encodedQueryText(_ text: String) -> String {
    encoded(text, also: "!$'()*,;:@/?")
  }

  private static func encoded(_ text: String, also others: StaticString) -> String {
    guard !text.utf8.allSatisfy({ isPlain($0, others) }) else { return text }
    var result = ""
    for byte in text.utf8 {
      if isPlain(byte, others) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += byte < 16 ? "%0" : "%"
        result += String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }

  private static func isPlain(_ byte: UInt8, _ others: StaticString) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default:
      others.withUTF8Buffer { $0.contains(byte) }
    }
  }
}
