import RehearsalBase

/// An error as in a script, such as `http 503` or `transport refused`: reads it and writes it.
package enum ErrorSpec: Sendable, Hashable {
  /// A custom error: `"boom"`.
  case text(String)
  /// A failed connection, by its name in `URLError.Code`: `url timedOut`.
  case url(String)
  /// An answer with this status: `http 503`.
  case http(Int)
  /// A request without a readable answer, by its name in `TransportError`: `transport refused`.
  /// Some have a detail, such as the forbidden host; nil matches any.
  case transport(String, detail: String? = nil)
  /// An answer that did not decode: `decoding "no field id"`.
  case decoding(String)
  /// Bytes that are no image, with their apparent format: `image "HTML"`.
  case image(String)
  /// `TimeoutError`.
  case timeout
  /// `CancellationError` without a cancellation.
  case cancellation
  /// A control error, by the name of its type.
  case control(Control)

  package enum Control: String, CaseIterable, Sendable {
    case cancelLoadable = "CancelLoadable"
    case resetLoadable = "ResetLoadable"
    case cancelProcess = "CancelProcess"
    case resetProcess = "ResetProcess"
  }

  package var text: String {
    switch self {
    case .text(let text): JSONValue.string(text).text(within: 60)
    case .url(let name): "url \(name)"
    case .http(let status): "http \(status)"
    case .transport(let name, let detail):
      "transport " + name + (detail.map { " " + Self.quoted($0) } ?? "")
    case .decoding(let text): "decoding " + Self.quoted(text)
    case .image(let found): "image " + Self.quoted(found)
    case .timeout: "timeout"
    case .cancellation: "cancellation"
    case .control(let control): control.rawValue
    }
  }

  /// The maximum length of a text about an answer: enough for a path in it and two types.
  private static func quoted(_ text: String) -> String {
    JSONValue.string(text).text(within: 160)
  }

  /// Whether this is the other error, or a pattern that includes it.
  package func covers(_ other: ErrorSpec) -> Bool {
    if case .transport(let name, nil) = self, case .transport(name, _) = other { return true }
    return self == other
  }

  /// The kinds with several errors, by their first word.
  package static let kinds = ["url", "http", "transport", "decoding", "image"]

  /// The word of its kind; nil for a kind with only one error.
  package var kind: String? {
    switch self {
    case .url: "url"
    case .http: "http"
    case .transport: "transport"
    case .decoding: "decoding"
    case .image: "image"
    case .text, .timeout, .cancellation, .control: nil
    }
  }

  /// The words that an error begins with, unless it is a text.
  package static let words =
    kinds + ["timeout", "cancellation"] + Control.allCases.map(\.rawValue)
}

extension Parser {
  package mutating func error() throws(Diagnostic) -> Located<ErrorSpec> {
    let start = position
    func located(_ spec: ErrorSpec) -> Located<ErrorSpec> { Located(spec, at: start..<endOfTaken) }
    expect(.sample("an error's text", example: "\"boom\""))
    if isNext(byte: UInt8(ascii: "\"")) {
      return located(.text(try text("an error", example: "\"boom\"").value))
    }
    if accept("url") != nil { return located(.url(try urlCode())) }
    if accept("http") != nil {
      return located(.http(try integer("a status", in: 100...599, example: "503").value))
    }
    if accept("transport") != nil { return located(try transport()) }
    if accept("decoding") != nil {
      return located(.decoding(try text("the decoding problem", example: "\"no field id\"").value))
    }
    if accept("image") != nil {
      return located(.image(try text("the format of the body", example: "\"HTML\"").value))
    }
    if accept("timeout") != nil { return located(.timeout) }
    if accept("cancellation") != nil { return located(.cancellation) }
    for control in ErrorSpec.Control.allCases where accept(control.rawValue) != nil {
      return located(.control(control))
    }
    throw expected(
      "an error",
      wordRange().map { word in
        Hint.nearest(to: text(word), in: ErrorSpec.words)
          ?? .general(
            "an error is a text in quotes, as in \"boom\", or 'url', 'http', 'transport', 'decoding', 'timeout'"
          )
      }
    )
  }

  private mutating func urlCode() throws(Diagnostic) -> String {
    try name(of: "a code of URLError, like timedOut", in: ErrorSpec.urlCodes.map(\.name)).value
  }

  private mutating func transport() throws(Diagnostic) -> ErrorSpec {
    let transport = try name(of: "a failed transport, like refused", in: ErrorSpec.transports)
    guard ErrorSpec.transportsWithDetail.contains(transport.value) else {
      return .transport(transport.value)
    }
    expect(.sample("its detail", example: "\"example.com\""))
    guard isNext(byte: UInt8(ascii: "\"")) else { return .transport(transport.value) }
    let detail = try text("its detail", example: "\"example.com\"")
    return .transport(transport.value, detail: detail.value)
  }

  private mutating func name(
    of what: String,
    in names: [String]
  ) throws(Diagnostic) -> Located<String> {
    for name in names { expect(.keyword(name)) }
    let name = try word(what)
    guard names.contains(name.value) else {
      throw Diagnostic(
        .expected(what, found: name.value.printable(atMost: 30)),
        at: name.span,
        hint: Suggestion.hint(for: name.value, in: names) ?? "'help errors' lists them"
      )
    }
    return name
  }
}
