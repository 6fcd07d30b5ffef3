import HTTPTypes
import RehearsalBase
import RemoteLoading

/// A request as patterns look at it. What costs something is read when somebody asks for it.
struct RequestReading {
  let request: RemoteRequest
  let method: HTTPRequest.Method
  /// The path with its query.
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

  /// The values of a header field: each, and all in one where there are several.
  func values(ofHeader name: String) -> [String] {
    guard let name = HTTPField.Name(name) else { return [] }
    if name == Self.host { return request.head.authority.map { [$0] } ?? [] }
    let values = request.head.headerFields[values: name]
    guard values.count > 1 else { return values }
    return values + [request.head.headerFields[name] ?? ""]
  }
}

/// A name and its value in a query; the value is empty where there is none.
struct QueryItem: Equatable {
  var name: String
  var value: String

  /// Names and values are decoded: percent escapes as UTF-8, a plus as a space.
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

/// A host and perhaps a port.
struct Authority: Equatable {
  /// In lower case, a numeric IPv6 address in its brackets.
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

  /// Whether a request to `other` goes here. Without a port this is the host at any port.
  func covers(_ other: Authority, scheme: String?) -> Bool {
    guard host == other.host else { return false }
    guard let port else { return true }
    return port == other.port ?? (scheme == "https" ? "443" : "80")
  }
}
