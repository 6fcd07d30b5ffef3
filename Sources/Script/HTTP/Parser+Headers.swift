package import MockHTTP
import RehearsalBase

/// Reads a header field, and quoted or bare texts of routes; decides which words must be in quotes.
extension Parser {
  /// Reads `NAME "value"`, which follows `with`.
  package mutating func headerField() throws(Diagnostic) -> ScriptedResponse.Header {
    let name = try headerName()
    let value = try quoted("a header's value", example: "\"no-store\"")
    return .init(name: name, value: try headerValue(value))
  }

  /// Reads the name of a header field. A keyword must be in quotes: without quotes it is the next
  /// clause, and the value before it is missing.
  mutating func headerName() throws(Diagnostic) -> String {
    let what = "the name of a header field"
    expect(.sample(what, example: "Cache-Control"))
    let isQuoted = isNext(byte: UInt8(ascii: "\""))
    let name = isQuoted ? try quoted(what, example: "\"Cache-Control\"") : try word(what)
    guard isQuoted || !Self.routeWords.contains(name.value) else {
      throw Diagnostic(
        .reservedWord(name.value, of: "route"),
        at: name.span,
        hint: "write the name of a header field first, as in: with Cache-Control \"no-store\""
      )
    }
    guard !name.value.isEmpty, name.value.utf8.allSatisfy(Self.isTokenByte) else {
      throw Diagnostic(
        .malformedHeader("'\(name.value.printable(atMost: 30))' is not a name"),
        at: name.span,
        hint: "a name is made of letters, digits and '-', as in Cache-Control"
      )
    }
    return name.value
  }

  /// Reads the value of a header: one line without control characters.
  func headerValue(_ value: Located<String>) throws(Diagnostic) -> String {
    guard value.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw Diagnostic(
        .malformedHeader("its value has a control character"),
        at: value.span,
        hint: "a value is one line of text"
      )
    }
    return value.value
  }

  /// Whether a byte may be part of a token (RFC 9110, section 5.6.2).
  static func isTokenByte(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  /// The keywords of routes.
  package static let routeWords: Set<String> = [
    "after", "any", "at", "base64", "body", "bytes", "chunked", "claiming", "cut", "dripping",
    "file", "for", "gzip", "header", "html", "json", "over", "reset", "sending", "silent", "text",
    "then", "to", "type", "with",
  ]

  // MARK: Texts

  /// Reads a text in quotes.
  mutating func quoted(_ what: String, example: String) throws(Diagnostic) -> Located<String> {
    guard isNext(byte: UInt8(ascii: "\"")) else {
      expect(.sample(what, example: example))
      throw expected(what, hint: "write it in quotes, as in \(example)")
    }
    return try text(what, example: example)
  }

  /// Reads a text in quotes, or everything up to the next blank or comma.
  mutating func bareOrQuoted(_ what: String, example: String) throws(Diagnostic) -> Located<String>
  {
    expect(.sample(what, example: example))
    if isNext(byte: UInt8(ascii: "\"")) { return try text(what, example: example) }
    var end = position
    while end < bytes.count, bytes[end] > 0x20, bytes[end] != UInt8(ascii: ",") { end += 1 }
    guard end > position, !isQuestion(end) else {
      throw expected(what, hint: "as in \(example)")
    }
    let range = position..<end
    take(to: end)
    return Located(text(range), at: range)
  }
}

extension String {
  /// The text in quotes, in full.
  var inQuotes: String { JSONValue.string(self).text }

  /// The text as `bareOrQuoted` reads it: in quotes if necessary.
  var bareOrQuoted: String {
    let isBare = utf8.allSatisfy {
      $0.isLetter || $0.isDigit || "-._~/:?&=+%@!$*;".utf8.contains($0)
    }
    return isBare && !isEmpty && self != "?" ? self : inQuotes
  }
}
