/// The first line of a request.
struct StartLine {
  let method: String
  let target: String
  let isHTTP10: Bool

  /// The accepted methods. Other words are usually another protocol and not a method.
  private static let methods: Set<String> = [
    "ACL", "BIND", "CHECKOUT", "CONNECT", "COPY", "DELETE", "GET", "HEAD", "LINK", "LOCK",
    "M-SEARCH", "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL", "MOVE", "NOTIFY", "OPTIONS",
    "PATCH", "POST", "PROPFIND", "PROPPATCH", "PURGE", "PUT", "QUERY", "REBIND", "REPORT",
    "SEARCH", "SOURCE", "SUBSCRIBE", "TRACE", "UNBIND", "UNLINK", "UNLOCK", "UNSUBSCRIBE",
  ]
  /// The first word of HTTP/2.
  private static let preface = "PRI"

  /// Parses a line without its end.
  init(_ line: ArraySlice<UInt8>) throws(Refusal) {
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    let method = String(decoding: parts[0], as: UTF8.self)
    if method == Self.preface { throw .otherVersion }
    guard Self.methods.contains(method) else { throw .notHTTP("invalid HTTP method") }
    guard parts.count > 1, !parts[1].isEmpty, parts[1].allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw .notHTTP("invalid URL") }
    guard parts.count == 3 else { throw .notHTTP("invalid HTTP version") }
    self.method = method
    target = String(decoding: parts[1], as: UTF8.self)
    isHTTP10 = try Self.isHTTP10(String(decoding: parts[2], as: UTF8.self))
  }

  /// Refuses an incomplete line that cannot become a request: a client of another protocol may wait
  /// for an answer to it.
  static func checkBeginning(_ line: ArraySlice<UInt8>) throws(Refusal) {
    let word = line.prefix { $0 != UInt8(ascii: " ") }
    let isWhole = word.count < line.count
    let isPossible = methods.union([preface]).contains { method in
      method.utf8.starts(with: word) && (!isWhole || method.utf8.count == word.count)
    }
    guard isPossible else { throw .notHTTP("invalid HTTP method") }
  }

  private static func isHTTP10(_ version: String) throws(Refusal) -> Bool {
    switch version {
    case "HTTP/1.1": return false
    case "HTTP/1.0": return true
    default:
      let digits = version.dropFirst(5).split(separator: ".", omittingEmptySubsequences: false)
      guard version.hasPrefix("HTTP/"), digits.count == 2,
        digits.allSatisfy({ $0.count == 1 && $0.allSatisfy(\.isNumber) })
      else { throw .notHTTP("invalid HTTP version") }
      throw .otherVersion
    }
  }
}
