import HTTPTypes
import MockHTTP
import RemoteLoading

/// The head of a response as bytes, and how the client recognizes the body's end.
struct ResponseHead {
  let framing: Framing
  /// Whether another request may follow on this connection.
  let keepsAlive: Bool
  /// The number of body bytes to send.
  let bodyEnd: Int

  enum Framing: Hashable {
    case length(Int)
    /// A malformed length from a route.
    case malformed(String)
    case chunked
    /// The end of the connection ends the body.
    case close
    /// There is no body and no length.
    case none
  }

  init(_ response: Reply.Response, to request: RequestInfo) {
    let status = response.head.status.code
    let mayHaveBody = status >= 200 && status != 204 && status != 304
    framing = Self.framing(of: response, to: request, mayHaveBody: mayHaveBody)
    bodyEnd = mayHaveBody && !request.isHead ? response.ending.bodyEnd(of: response.body.count) : 0
    let wantsClose = response.head.headerFields[.connection]?.lowercased().contains("close")
    keepsAlive =
      request.keepsAlive && !response.isMalformed && wantsClose != true && framing != .close
      && status >= 200
      && (response.ending == .complete || (request.isHead && response.ending.isClaim))
  }

  private static func framing(
    of response: Reply.Response,
    to request: RequestInfo,
    mayHaveBody: Bool
  ) -> Framing {
    guard mayHaveBody else { return .none }
    let announced = response.head.headerFields[.contentLength]
    if response.isMalformed, let announced { return .malformed(announced) }
    if case .claiming(let bytes) = response.ending { return .length(bytes) }
    if response.isChunked { return request.isHTTP10 ? .close : .chunked }
    if request.isHead, response.body.isEmpty {
      return announced.flatMap { Int($0) }.map(Framing.length) ?? .none
    }
    if response.ending != .complete, let length = announced.flatMap({ Int($0) }) {
      return .length(length)
    }
    return .length(response.body.count)
  }

  /// Appends the status line and the header fields. This type alone sets the fields for the
  /// message's end and the connection, and ignores the response's own.
  func write(_ head: HTTPResponse, to request: RequestInfo, into bytes: inout [UInt8]) {
    let phrase =
      head.status.reasonPhrase.isEmpty ? head.status.usualPhrase : head.status.reasonPhrase
    bytes += "HTTP/1.1 \(head.status.code) \(phrase)\r\n".utf8
    for field in head.headerFields where !Self.isOurs(field.name) {
      bytes += field.name.rawName.utf8
      bytes += ": ".utf8
      field.withUnsafeBytesOfValue { bytes += $0 }
      bytes += "\r\n".utf8
    }
    switch framing {
    case .length(let count): bytes += "Content-Length: \(count)\r\n".utf8
    case .malformed(let text): bytes += "Content-Length: \(text)\r\n".utf8
    case .chunked: bytes += "Transfer-Encoding: chunked\r\n".utf8
    case .close, .none: break
    }
    if !keepsAlive {
      bytes += "Connection: close\r\n".utf8
    } else if request.isHTTP10 {
      bytes += "Connection: keep-alive\r\n".utf8
    }
    bytes += "\r\n".utf8
  }

  private static func isOurs(_ name: HTTPField.Name) -> Bool {
    name == .contentLength || name == .transferEncoding || name == .connection
  }
}

extension ScriptedResponse.Ending {
  /// Returns the number of body bytes to send.
  func bodyEnd(of count: Int) -> Int {
    switch self {
    case .complete, .claiming: count
    case .closed(let bytes), .reset(let bytes), .silent(let bytes): max(0, min(bytes, count))
    }
  }

  var isClaim: Bool {
    if case .claiming = self { true } else { false }
  }

  /// The problem in a few words, or nil.
  var problem: String? {
    switch self {
    case .complete: nil
    case .closed(let bytes): "closed after \(bytes) B"
    case .reset(let bytes): "reset after \(bytes) B"
    case .silent(let bytes): "silent after \(bytes) B"
    case .claiming(let bytes): "claiming \(bytes) B"
    }
  }
}
