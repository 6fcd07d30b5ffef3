package import HTTPTypes
package import MockHTTP
import RehearsalBase

/// The request of a load, `POST https://host/login sending json {…}`: reads and writes it.
package struct RequestSpec: Sendable, Hashable {
  package var method: HTTPRequest.Method
  /// The host; nil if the session decides, as for a path alone.
  package var origin: Origin?
  /// The path with its query, escaped as it is sent; begins with `/`.
  package var path: String
  /// Header fields, without those of the body.
  package var headers: [ScriptedResponse.Header]
  package var body: Body?
  /// Whether it uses a real socket, even if it could stay in memory.
  package var isOverSocket: Bool

  package struct Origin: Sendable, Hashable {
    /// `http` or `https`.
    package let scheme: String
    /// `name` or `name:port`, lower case, without the scheme's usual port.
    package let host: String

    package init(scheme: String, host: String) {
      self.scheme = scheme
      self.host = host
    }

    package var text: String { scheme + "://" + host }
  }

  package enum Body: Sendable, Hashable {
    /// JSON, as text.
    case json(String)
    case text(String)

    package var bytes: [UInt8] {
      switch self {
      case .json(let text), .text(let text): Array(text.utf8)
      }
    }

    package var contentType: String {
      switch self {
      case .json: "application/json"
      case .text: "text/plain; charset=utf-8"
      }
    }
  }

  package init(
    method: HTTPRequest.Method = .get,
    origin: Origin? = nil,
    path: String,
    headers: [ScriptedResponse.Header] = [],
    body: Body? = nil,
    isOverSocket: Bool = false
  ) {
    self.method = method
    self.origin = origin
    self.path = path
    self.headers = headers
    self.body = body
    self.isOverSocket = isOverSocket
  }

  /// The text after `from`. It reads back as the same request.
  package var text: String {
    var parts = [method.text, (origin?.text ?? "") + path]
    if let body { parts.append("sending " + body.commandText) }
    parts += headers.map(\.text)
    if isOverSocket { parts.append("over socket") }
    return parts.joined(separator: " ")
  }
}

extension RequestSpec.Body {
  fileprivate var commandText: String {
    switch self {
    case .json(let text): "json " + ((try? JSONValue(json: Array(text.utf8)))?.text ?? text)
    case .text(let text): "text " + text.inQuotes
    }
  }
}

extension Parser {
  /// Reads `[METHOD] TARGET` and its clauses: `sending json VALUE | text "…"`, `with NAME "value"`,
  /// `over socket`. Ends before the first other word. The default method is POST if there is a
  /// body, and GET otherwise.
  package mutating func requestSpec() throws(Diagnostic) -> Located<RequestSpec> {
    let start = position
    let method = try methodIfAny()
    var spec = try requestTarget()
    while try readClause(of: &spec) {}
    spec.method = method ?? (spec.body == nil ? .get : .post)
    return Located(spec, at: start..<endOfTaken)
  }

  private mutating func requestTarget() throws(Diagnostic) -> RequestSpec {
    let target = try target()
    let whole = target.path.lowerBound..<target.range.upperBound
    if let brace = target.bytes[whole].firstIndex(where: \.isBrace) { throw strayBrace(at: brace) }
    for part in target.segments { _ = try target.text(part, in: .segment) }
    for item in target.items {
      _ = try target.text(item.name, in: .query)
      if let value = item.value { _ = try target.text(value, in: .query) }
    }
    let path = encodedPath(whole)
    return RequestSpec(
      origin: target.origin.map { .init(scheme: $0.scheme, host: $0.host) },
      path: target.path.isEmpty ? "/" + path : path
    )
  }

  private func strayBrace(at place: Int) -> Diagnostic {
    Diagnostic(
      .malformedTarget("a request has no captures"),
      at: place..<place + 1,
      hint: "write the value itself; '{' is written as %7B"
    )
  }

  private mutating func readClause(of spec: inout RequestSpec) throws(Diagnostic) -> Bool {
    if let span = accept("sending") {
      guard spec.body == nil else { throw Diagnostic(.repeatedClause("sending"), at: span) }
      spec.body = try requestBody()
    } else if accept("with") != nil {
      let start = position
      let header = try headerField()
      if pipePlace.isInside {
        try checkPlaceholders(in: .string(header.value), at: start..<endOfTaken)
      }
      spec.headers.append(header)
    } else if let span = accept("over") {
      guard !spec.isOverSocket else { throw Diagnostic(.repeatedClause("over"), at: span) }
      guard accept("socket") != nil else { throw expected("'socket'") }
      spec.isOverSocket = true
    } else {
      return false
    }
    return true
  }

  private mutating func sentValue() throws(Diagnostic) -> JSONValue {
    pipePlace.isInside ? try pipeValue() : try value().value
  }

  private mutating func requestBody() throws(Diagnostic) -> RequestSpec.Body {
    if accept("json") != nil { return .json(try sentValue().text) }
    if accept("text") != nil {
      let text = try quoted("the body of the request", example: "\"Hello\"")
      if pipePlace.isInside { try checkPlaceholders(in: .string(text.value), at: text.span) }
      return .text(text.value)
    }
    if isNext(byte: UInt8(ascii: "{")) || isNext(byte: UInt8(ascii: "[")) {
      return .json(try sentValue().text)
    }
    throw expected(
      "'json' or 'text'",
      hint: "give the body: sending json {\"title\": \"Hello\"}"
    )
  }
}
