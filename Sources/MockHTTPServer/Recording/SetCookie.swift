import HTTPTypes

extension HTTPFields {
  /// Splits the cookies that a transport has joined into one header field.
  mutating func separateCookies() {
    guard contains(.setCookie) else { return }
    self[values: .setCookie] = self[values: .setCookie].flatMap(SetCookie.fields)
  }
}

/// The header field `Set-Cookie`, the only one that cannot be a list (RFC 9110, section 5.3).
enum SetCookie {
  /// Returns the cookies of a list. A comma starts one only if a name and `=` follow, unlike in a
  /// date.
  static func fields(of list: String) -> [String] {
    var fields: [String] = []
    var rest = list.utf8[...]
    while let comma = rest.indices.first(where: { rest[$0] == comma && isCookie(rest[$0...]) }) {
      fields.append(String(Substring(rest[..<comma])))
      rest = rest[comma...].dropFirst().drop { $0 == space }
    }
    return fields + [String(Substring(rest))]
  }

  private static let comma = UInt8(ascii: ",")
  private static let space = UInt8(ascii: " ")

  /// Returns whether the text begins with a comma, a name and `=`.
  private static func isCookie(_ text: Substring.UTF8View) -> Bool {
    let start = text.dropFirst().drop { $0 == space }
    let name = start.prefix { $0 > space && $0 < 0x7F && !"=;,\"()<>@:/[]?{}\\".utf8.contains($0) }
    return !name.isEmpty && start.dropFirst(name.count).first == UInt8(ascii: "=")
  }
}
