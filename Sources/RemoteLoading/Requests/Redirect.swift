import HTTPTypes
import RehearsalBase

/// A redirect response: decides the next request, its method, and which secrets are dropped.
struct Redirect {
  /// The statuses that a client follows.
  static let statuses: Set<Int> = [301, 302, 303, 307, 308]

  private let status: Int
  private let location: String

  /// Nil if the response is not a redirect or has no target.
  init?(_ head: HTTPResponse) {
    guard Self.statuses.contains(head.status.code), let location = head.headerFields[.location]
    else { return nil }
    status = head.status.code
    self.location = location
  }

  /// Returns the next request.
  func followed(from request: RemoteRequest) throws(TransportError) -> RemoteRequest {
    var next = request
    try next.follow(URLReference(PercentCoding.encoded(location, in: .url)[...]))
    if request.head.scheme == "https", next.head.scheme == "http" { throw .insecure }
    if status < 307 { next.becomeGet() }
    if next.origin != request.origin { next.dropSecrets() }
    return next
  }

  /// Returns the places up to the first repetition, so that a loop is listed once.
  static func untilRepeated(_ places: [String]) -> [String] {
    var seen: Set<String> = []
    let end = places.firstIndex { !seen.insert($0).inserted }
    return Array(places[...(end ?? places.count - 1)])
  }
}

extension RemoteRequest {
  fileprivate mutating func becomeGet() {
    if head.method != .head { head.method = .get }
    body = []
    for name in [HTTPField.Name.contentType, .contentLength, .contentEncoding] {
      head.headerFields[name] = nil
    }
  }

  fileprivate mutating func dropSecrets() {
    for name in [HTTPField.Name.authorization, .cookie, .proxyAuthorization] {
      head.headerFields[name] = nil
    }
  }
}
