/// The host in an authority, `name`, `name:port` or `[address]:port`.
struct HostName {
  /// The name in lower case, without port, brackets and final dot.
  let name: String

  init(_ authority: some StringProtocol) {
    var text = authority.lowercased()[...]
    if text.first == "[", let end = text.firstIndex(of: "]") {
      text = text[text.index(after: text.startIndex)..<end]
    } else if let colon = text.lastIndex(of: ":") {
      text = text[..<colon]
    }
    if text.last == "." { text.removeLast() }
    name = String(text)
  }

  /// Whether it is an IP address, which DNS cannot redirect.
  var isAddress: Bool { SocketAddress(name, port: 0) != nil }

  /// Whether the name is never looked up on the network (RFC 6761).
  var isLocal: Bool { name == "localhost" || name.hasSuffix(".localhost") }
}
