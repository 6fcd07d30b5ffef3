import HTTPTypes
import RehearsalBase

/// An answer that sends its client elsewhere.
struct Redirect {
  /// Those that are followed.
  static let statuses: Set<Int> = [301, 302, 303, 307, 308]

  private let status: Int
  private let location: String

  /// Nil where the answer is none, or does not say where to.
  init?(_ head: HTTPResponse) {
    guard Self.statuses.contains(head.status.code), let location = head.headerFields[.location]
    else { return nil }
    status = head.status.code
    self.location = location
  }

  /// The request that comes next.
  func followed(from request: RemoteRequest) throws(TransportError) -> RemoteRequest {
    var next = request
    try next.follow(URLReference(PercentCoding.encoded(location, in: .url)[...]))
    if request.head.scheme == "https", next.head.scheme == "http" { throw .insecure }
    if status < 307 { next.becomeGet() }
    if next.origin != request.origin { next.dropSecrets() }
    return next
  }

  /// The places up to where they repeat themselves: a loop is named once.
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
