import HTTPTypes
import RemoteLoading

/// A validated request head. Anything that two readers could interpret differently is refused.
struct RequestHead {
  let request: HTTPRequest
  /// Whether the client may send another request on this connection.
  let keepsAlive: Bool
  let isHTTP10: Bool
  /// Whether the client waits for `100 Continue` before it sends the body.
  let expectsContinue: Bool
  /// The announced length of the body, in bytes.
  let bodyLength: Int?

  let isChunked: Bool

  /// Validates the parts of a head.
  ///
  /// - Throws: `Refusal` with the problem.
  init(
    _ line: StartLine,
    fields lines: [(name: HTTPField.Name, value: String)]
  ) throws(Refusal) {
    var fields = HTTPFields()
    var special = Special()
    for (name, value) in lines where try special.take(name, value) {
      fields.append(HTTPField(name: name, value: value))
    }
    isHTTP10 = line.isHTTP10
    if !isHTTP10, special.host == nil { throw .badRequest("The request has no host.") }
    guard let method = HTTPRequest.Method(line.method) else {
      throw .badRequest("The method is not a valid token.")
    }
    let target = try ParsedTarget(line.target, method: method)
    request = HTTPRequest(
      method: method,
      scheme: "http",
      authority: target.authority ?? special.host,
      path: target.path,
      headerFields: fields
    )
    expectsContinue = special.expectsContinue && !isHTTP10
    bodyLength = special.length
    isChunked = special.isChunked
    let options = special.connectionOptions
    let mayContinue =
      isHTTP10 ? options == ["keep-alive"] : !options.contains("close")
    // After a protocol upgrade, the client may switch to that protocol.
    keepsAlive = mayContinue && !special.wantsUpgrade
  }

  /// The header fields that determine how the message is read.
  private struct Special {
    var host: String?
    var length: Int?
    var isChunked = false
    var expectsContinue = false
    var wantsUpgrade = false
    /// The values `close` and `keep-alive`, including duplicates.
    var connectionOptions: [String] = []

    /// Processes a field.
    ///
    /// - Returns: whether the field belongs to the request itself.
    mutating func take(_ name: HTTPField.Name, _ value: String) throws(Refusal) -> Bool {
      switch name.canonicalName {
      case "host":
        if host != nil { throw .badRequest("The request has two hosts.") }
        host = value
        return false
      case "content-length": try takeLength(value)
      case "transfer-encoding": try takeEncoding(value)
      case "expect": try takeExpectation(value)
      case "upgrade": wantsUpgrade = true
      case "connection":
        let words = value.lowercased().split { ", \t".contains($0) }.map(String.init)
        connectionOptions += words.filter { $0 == "close" || $0 == "keep-alive" }
      default: break
      }
      return true
    }

    private mutating func takeLength(_ value: String) throws(Refusal) {
      if isChunked { throw .unclearEnd }
      guard length == nil else {
        throw .badRequest("The request has two body lengths.")
      }
      guard !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(value)
      else {
        throw .badRequest("The body's length is not a number.")
      }
      length = number
    }

    private mutating func takeEncoding(_ value: String) throws(Refusal) {
      if length != nil { throw .unclearEnd }
      guard !isChunked else {
        throw .badRequest("The request has two body lengths.")
      }
      guard value.lowercased() == "chunked" else {
        throw Refusal(
          status: .notImplemented,
          reason: "The only supported transfer coding is 'chunked'."
        )
      }
      isChunked = true
    }

    private mutating func takeExpectation(_ value: String) throws(Refusal) {
      guard value.lowercased() == "100-continue" else {
        throw Refusal(
          status: .expectationFailed,
          reason: "The only supported expectation is '100-continue'."
        )
      }
      expectsContinue = true
    }
  }
}

/// The target of a request: a path with its query, and the host if the target has one.
struct ParsedTarget: Hashable {
  let path: String
  let authority: String?

  /// Parses a target of the form `/path`, `http://host/path` or, for OPTIONS, `*`. The path is not
  /// changed.
  ///
  /// - Throws: `Refusal` for every other form.
  init(_ target: String, method: HTTPRequest.Method) throws(Refusal) {
    guard target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
      throw .badRequest("The target has an invalid character.")
    }
    if target.utf8.first == UInt8(ascii: "/") || (target == "*" && method == .options) {
      self.init(path: target, authority: nil)
    } else if method == .connect {
      throw Refusal(status: .notImplemented, reason: "This server does not support CONNECT.")
    } else {
      self = try Self.absolute(target)
    }
  }

  private init(path: String, authority: String?) {
    self.path = path
    self.authority = authority
  }

  private static func absolute(_ target: String) throws(Refusal) -> ParsedTarget {
    let scheme = target.prefix(7).lowercased()
    guard scheme == "http://" else {
      throw .badRequest("The target is neither a path nor an http URL.")
    }
    let rest = target.dropFirst(7)
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    let authority = rest[..<end]
    guard !authority.isEmpty, !authority.contains("@") else {
      throw .badRequest("The target has no host.")
    }
    let path = rest[end...]
    return ParsedTarget(
      path: path.first == "/" ? String(path) : "/" + path,
      authority: String(authority)
    )
  }
}
