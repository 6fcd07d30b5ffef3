import HTTPTypes
import RehearsalBase
import RemoteLoading

/// One entry of a HAR file.
struct HAREntry {
  var method = ""
  var url = ""
  var requestHeaders: [Pair] = []
  var requestBody: [UInt8] = []
  /// 0 if there was no response.
  var status = 0
  var responseHeaders: [Pair] = []
  var redirect = ""
  /// Chrome's error for a failed request, or for an answer that broke off: `net::ERR_CONNECTION_RESET`.
  var error = ""
  /// The instant of the request, in ISO 8601; empty if unknown.
  var start = ""
  /// Nil if it was not recorded.
  private(set) var body: [UInt8]?
  var bodySize = 0
  var bodyType = ""
  /// Whether the body was recorded as decoded text. It is UTF-8 then, whatever its original
  /// encoding.
  private(set) var isBodyText = false
  /// The duration of the whole exchange in milliseconds, -1 if unknown.
  var time: Double?
  var wait: Double?
  var receive: Double?
  var isWebSocket = false

  struct Pair {
    var name = ""
    var value = ""

    /// The fields in form encoding: `name=value`.
    var formText: String {
      PercentCoding.encoded(name, in: .query) + "=" + PercentCoding.encoded(value, in: .query)
    }
  }

  mutating func setBody(_ body: [UInt8]?, isText: Bool = true) {
    self.body = body
    isBodyText = isText
  }
}

// MARK: Exchanges

extension HAREntry {
  /// The exchange, or the reason why the entry has none.
  var exchange: Result<RecordedExchange, Traffic.LeftOut> {
    let url = RecordedURL(url)
    if isWebSocket || url.scheme == "ws" || url.scheme == "wss" || status == 101 {
      return .failure(.webSocket)
    }
    guard url.scheme == "http" || url.scheme == "https" else { return .failure(.otherScheme) }
    let host = RecordedHost(scheme: url.scheme, authority: url.authority)
    guard let method = HTTPRequest.Method(method), host.isValid else {
      return .failure(.badRequest)
    }
    let head = HTTPRequest(
      method: method,
      scheme: url.scheme,
      authority: url.authority,
      path: url.target,
      headerFields: Self.fields(requestHeaders)
    )
    return outcome.map { outcome in
      RecordedExchange(
        request: RemoteRequest(head, body: requestBody),
        outcome: outcome,
        wait: waitTime,
        receive: Self.duration(receive),
        // In UTF-8 a body may be shorter than in its own encoding.
        missingByteCount: bodyType.lowercased().contains("utf-16")
          ? 0 : bodySize - (body?.count ?? bodySize)
      )
    }
  }

  private var outcome: Result<RecordedExchange.Outcome, Traffic.LeftOut> {
    guard hasStatus, error.isEmpty else { return failure }
    var fields = Self.fields(responseHeaders)
    if fields[.contentType] == nil, !bodyType.isEmpty, bodyType != "x-unknown" {
      fields[.contentType] = bodyType
    }
    if isBodyText, let type = fields[.contentType] {
      fields[.contentType] = ContentType(type).inUTF8
    }
    if fields[.location] == nil, !redirect.isEmpty { fields[.location] = redirect }
    let head = HTTPResponse(status: .init(code: status), headerFields: fields)
    if let body, !body.isEmpty || bodySize <= 0 {
      return .success(.response(RemoteResponse(head, body: body)))
    }
    if bodySize > 0, method != "HEAD", status != 204, status != 304 {
      let size = min(bodySize, Traffic.limitInBytes)
      return .success(.responseWithoutBody(RemoteResponse(head), size: size))
    }
    return .success(.response(RemoteResponse(head)))
  }

  private var hasStatus: Bool { (200...599).contains(status) }

  /// The transport failure for Chrome's error.
  private var failure: Result<RecordedExchange.Outcome, Traffic.LeftOut> {
    let code = error.hasPrefix("net::ERR_") ? String(error.dropFirst(9)) : error
    switch code {
    case "": return .failure(status == 0 ? .noAnswer : .badStatus)
    case "ABORTED": return .failure(.cancelled)
    case _ where code.hasPrefix("BLOCKED_"): return .failure(.blocked)
    case "CONNECTION_REFUSED", "ADDRESS_UNREACHABLE": return .success(.failure(.refused))
    case "CONNECTION_RESET", "CONNECTION_ABORTED": return .success(.failure(.reset))
    case "EMPTY_RESPONSE", "CONNECTION_CLOSED": return .success(.failure(.empty))
    case "INVALID_HTTP_RESPONSE", "INVALID_RESPONSE": return .success(.failure(.malformed))
    case "TIMED_OUT", "CONNECTION_TIMED_OUT": return .success(.failure(.timedOut))
    case _ where code.hasPrefix("CERT_") || code.hasPrefix("SSL_"):
      return .success(.failure(.insecure))
    default: return .failure(hasStatus ? .brokenOff : .noAnswer)
    }
  }

  /// Returns the header fields without invalid names and without HTTP/2's pseudo-header fields,
  /// which begin with a colon.
  private static func fields(_ pairs: [Pair]) -> HTTPFields {
    pairs.reduce(into: HTTPFields()) { fields, pair in
      guard let name = HTTPField.Name(pair.name) else { return }
      fields.append(HTTPField(name: name, value: pair.value))
    }
  }

  /// The recorded wait; if it is missing, the total time without the transfer.
  private var waitTime: Duration {
    if let wait, wait >= 0 { return Self.duration(wait) }
    return Self.duration(time) - min(Self.duration(time), Self.duration(receive))
  }

  /// Returns whole milliseconds, at most a day; zero if unknown.
  private static func duration(_ milliseconds: Double?) -> Duration {
    guard let milliseconds, milliseconds > 0 else { return .zero }
    return .milliseconds(Int(min(milliseconds, 86_400_000).rounded()))
  }
}
