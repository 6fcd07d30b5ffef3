public import HTTPTypes
import RehearsalBase

/// Makes a request from a URL, resolves a redirect, and decides which URLs have the same origin.
extension RemoteRequest {
  /// Creates a request for a URL. Characters that a URL cannot have, such as spaces, are
  /// percent-encoded. User and password are removed.
  ///
  /// - Throws: `TransportError.unsupportedURL` unless it is an absolute `http` or `https` URL with
  ///   a host.
  public init(
    _ method: HTTPRequest.Method = .get,
    url: String,
    fields: HTTPFields = [:],
    body: [UInt8] = []
  ) throws(TransportError) {
    let head = HTTPRequest(
      method: method,
      scheme: nil,
      authority: nil,
      path: nil,
      headerFields: fields
    )
    self.init(head, body: body)
    try point(to: URLReference(PercentCoding.encoded(url, in: .url)[...]))
  }

  /// The URL of the request, or its path if it has no host.
  public var url: String { reference.description }

  var reference: URLReference {
    var reference = URLReference((head.path ?? "/")[...])
    guard let authority = head.authority else { return reference }
    reference.scheme = (head.scheme ?? "http")[...]
    reference.authority = authority[...]
    return reference
  }

  /// Changes the target to a reference from a response.
  mutating func follow(_ reference: URLReference) throws(TransportError) {
    let place = reference.resolved(against: self.reference)
    if head.authority == nil, place.scheme == nil, place.authority == nil {
      setPath(of: place)
    } else {
      try point(to: place)
    }
  }

  private mutating func point(to place: URLReference) throws(TransportError) {
    let scheme = place.scheme?.lowercased()
    let authority = place.authority.map {
      $0[($0.lastIndex(of: "@").map($0.index(after:)) ?? $0.startIndex)...]
    }
    guard scheme == "http" || scheme == "https", let authority, Self.isAuthority(authority) else {
      throw .unsupportedURL
    }
    head.scheme = scheme
    head.authority = String(authority)
    setPath(of: place)
  }

  private mutating func setPath(of place: URLReference) {
    let path = place.path.isEmpty ? "/" : String(place.path)
    head.path = path + (place.query.map { "?\($0)" } ?? "")
  }

  private static func isAuthority(_ text: Substring) -> Bool {
    let (host, port) = hostAndPort(text)
    return !host.isEmpty && (port.isEmpty || UInt16(port) != nil)
      && host.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && !"\"<>\\^`{|}/?#@%".utf8.contains($0) }
  }

  /// Returns the URL, or only the path and query if it has this origin.
  func place(seenFrom origin: [String]) -> String {
    self.origin == origin ? head.path ?? "/" : url
  }

  /// The scheme, host and port. Secrets for one origin must not be sent to another.
  var origin: [String] {
    let (host, port) = Self.hostAndPort((head.authority ?? "")[...])
    let scheme = head.scheme ?? "http"
    return [
      scheme, host.lowercased(), port.isEmpty ? (scheme == "https" ? "443" : "80") : String(port),
    ]
  }

  private static func hostAndPort(_ authority: Substring) -> (Substring, port: Substring) {
    let afterBracket = authority.lastIndex(of: "]") ?? authority.startIndex
    guard let colon = authority[afterBracket...].lastIndex(of: ":") else { return (authority, "") }
    return (authority[..<colon], authority[authority.index(after: colon)...])
  }
}

/// Returns the text as one segment of a path, or as one name or value of a query. ASCII letters,
/// digits and `-._~` stay; all other characters are percent-encoded as UTF-8.
public func percentEncoded(_ text: String) -> String {
  PercentCoding.encoded(text, in: .anywhere)
}
