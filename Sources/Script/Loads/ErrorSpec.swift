/// An error as the script names it; it prints the way it is written.
package enum ErrorSpec: Sendable, Hashable {
  /// An error of the author's own: `"boom"`.
  case text(String)
  /// A failed connection, by its name in `URLError.Code`: `url timedOut`.
  case url(String)
  /// An answer with this status: `http 503`.
  case http(Int)
  /// An answer that did not decode: `decoding "no field id"`.
  case decoding(String)
  /// `TimeoutError`.
  case timeout
  /// `CancellationError`, thrown though nobody cancelled.
  case cancellation
  /// One of the control errors, by its type's name.
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
    case .decoding(let text): "decoding " + JSONValue.string(text).text(within: 60)
    case .timeout: "timeout"
    case .cancellation: "cancellation"
    case .control(let control): control.rawValue
    }
  }

  /// The words that an error begins with, unless it is a text.
  package static let words =
    ["url", "http", "decoding", "timeout", "cancellation"] + Control.allCases.map(\.rawValue)

  /// The names and codes of `URLError.Code` that loading code meets.
  package static let urlCodes: [(name: String, code: Int)] = [
    ("cancelled", -999), ("badURL", -1000), ("timedOut", -1001), ("unsupportedURL", -1002),
    ("cannotFindHost", -1003), ("cannotConnectToHost", -1004), ("networkConnectionLost", -1005),
    ("dnsLookupFailed", -1006), ("httpTooManyRedirects", -1007), ("notConnectedToInternet", -1009),
    ("badServerResponse", -1011), ("userAuthenticationRequired", -1013),
    ("zeroByteResource", -1014),
    ("cannotDecodeRawData", -1015), ("cannotParseResponse", -1017),
    ("secureConnectionFailed", -1200), ("serverCertificateUntrusted", -1202),
  ]
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
    if accept("decoding") != nil {
      return located(.decoding(try text("what did not decode", example: "\"no field id\"").value))
    }
    if accept("timeout") != nil { return located(.timeout) }
    if accept("cancellation") != nil { return located(.cancellation) }
    for control in ErrorSpec.Control.allCases where accept(control.rawValue) != nil {
      return located(.control(control))
    }
    throw expected(
      "an error",
      hint: wordRange() == nil
        ? nil
        : "an error is a text in quotes, as in \"boom\", or 'url', 'http', 'decoding', 'timeout'"
    )
  }

  private mutating func urlCode() throws(Diagnostic) -> String {
    for code in ErrorSpec.urlCodes { expect(.keyword(code.name)) }
    let name = try word("a code of URLError, like timedOut")
    guard ErrorSpec.urlCodes.contains(where: { $0.name == name.value }) else {
      throw Diagnostic(
        .expected("a code of URLError, like timedOut", found: name.value),
        at: name.span,
        hint: Suggestion.hint(for: name.value, in: ErrorSpec.urlCodes.map(\.name))
      )
    }
    return name.value
  }
}
