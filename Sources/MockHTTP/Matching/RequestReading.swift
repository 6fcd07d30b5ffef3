import HTTPTypes
import RehearsalBase
import RemoteLoading

/// A request prepared for matching: its decoded path, query and header fields, and which hosts and ports are the same.
/// Expensive parts are parsed on first use.
struct RequestReading {
  let request: RemoteRequest
  let method: HTTPRequest.Method
  /// The path with the query.
  let target: String

  init(_ request: RemoteRequest) {
    self.request = request
    method = request.head.method
    target = request.head.path ?? "/"
  }

  lazy var segments: [String] = RequestTarget.segments(of: path)
  lazy var query: [QueryItem] = QueryItem.items(of: target)
  lazy var authority = request.head.authority.map { Authority($0) }
  lazy var json: JSONValue? = try? JSONValue(json: request.body, repeatedNames: .kept)

  var path: Substring { RequestTarget.parts(of: target).path }

  private static let host = HTTPField.Name("Host")

  /// Returns the values of a header field. If there are several, a combined value is included.
  func values(ofHeader name: String) -> [String] {
    guard let name = HTTPField.Name(name) else { return [] }
    if name == Self.host { return request.head.authority.map { [$0] } ?? [] }
    let values = request.head.headerFields[values: name]
    guard values.count > 1 else { return values }
    return values + [request.head.headerFields[name] ?? ""]
  }
}

/// The name and value of a query item. The value is empty if there is none.
struct QueryItem: Equatable {
  var name: String
  var value: String

  /// Returns the decoded items of a query: percent escapes are UTF-8, a plus is a space.
  static func items(of target: String) -> [QueryItem] {
    guard let query = RequestTarget.parts(of: target).query else { return [] }
    return query.utf8.split(separator: UInt8(ascii: "&")).map { item(Substring($0)) }
  }

  private static func item(_ text: Substring) -> QueryItem {
    let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
    let value = sign == text.endIndex ? "" : text[text.utf8.index(after: sign)...]
    return QueryItem(
      name: PercentCoding.decoded(text[..<sign], plusIsSpace: true),
      value: PercentCoding.decoded(value, plusIsSpace: true)
    )
  }
}

/// A host with an optional port.
struct Authority: Equatable {
  /// The host in lower case; a numeric IPv6 address has brackets.
  var host: String
  var port: String?

  init(_ text: String) {
    let place = text.utf8.lastIndex(of: UInt8(ascii: "@")).map { text.utf8.index(after: $0) }
    let text = text[(place ?? text.startIndex)...]
    let bracket = text.utf8.lastIndex(of: UInt8(ascii: "]")) ?? text.startIndex
    guard let colon = text[bracket...].utf8.lastIndex(of: UInt8(ascii: ":")) else {
      host = text.lowercased()
      return
    }
    host = text[..<colon].lowercased()
    port = String(text[text.utf8.index(after: colon)...])
  }

  /// Returns whether this covers requests to `other`. Without a port, it covers every port.
  func covers(_ other: Authority, scheme: String?) -> Bool {
    guard host == other.host else { return false }
    guard let port else { return true }
    return port == other.port ?? (scheme == "https" ? "443" : "80")
  }
}
