import RehearsalBase

/// The undecoded parts of a URL.
struct RecordedURL {
  /// The scheme in lower case, empty if missing.
  var scheme = ""
  /// The authority with user and port, if present.
  var authority = ""
  /// The path and query without the fragment. The path begins with `/`.
  var target = ""

  init(_ text: String) {
    let utf8 = Array(text.utf8)
    var rest = utf8[...]
    if let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      scheme = String(decoding: rest[..<colon], as: UTF8.self).lowercased()
      rest = rest[(colon + 1)...]
    }
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let name = rest.prefix { !"/?#".utf8.contains($0) }
      authority = String(decoding: name, as: UTF8.self)
      rest = rest.dropFirst(name.count)
    }
    let target = String(decoding: rest.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
    self.target = target.hasPrefix("/") ? target : "/" + target
  }
}

/// The host of a request in lower case, with a port unless it is the scheme's default.
struct RecordedHost: Hashable {
  let name: String
  /// The part before the `@`, empty if missing.
  let user: String

  init(scheme: String?, authority: String) {
    let at = authority.utf8.lastIndex(of: UInt8(ascii: "@"))
    user = at.map { String(authority[..<$0]) } ?? ""
    var host = String(at.map { authority[authority.utf8.index(after: $0)...] } ?? authority[...])
    let ownPort = scheme == "https" ? ":443" : ":80"
    if host.hasSuffix(ownPort) { host.removeLast(ownPort.count) }
    name = host.lowercased()
  }

  /// Whether a route can name the host: an ASCII name or address, with an optional port.
  var isValid: Bool {
    let end = name.last == "]" ? nil : name.lastIndex(of: ":")
    let host = name[..<(end ?? name.endIndex)].utf8
    let port = end.map { Int(name[name.index(after: $0)...]) ?? 0 } ?? 80
    guard (1...65535).contains(port) else { return false }
    if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") {
      return host.count > 2 && host.dropFirst().dropLast().allSatisfy(Self.isAddressByte)
    }
    return !host.isEmpty && host.allSatisfy(Self.isNameByte)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || "-._".utf8.contains(byte)
  }

  private static func isAddressByte(_ byte: UInt8) -> Bool {
    byte.hexDigit != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
  }
}
