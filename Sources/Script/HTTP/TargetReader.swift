import RehearsalBase

/// Splits the target of a request, a path or a URL in one word, into its parts, and decodes them. Every error has its
/// place.
struct TargetReader {
  let bytes: [UInt8]
  let range: Range<Int>
  private(set) var origin: Origin?
  let path: Range<Int>
  /// The text after the `?`; nil if there is no `?`.
  let query: Range<Int>?

  /// The origin of an absolute URL.
  struct Origin {
    let scheme: String
    /// `name` or `name:port`, lower case, without the scheme's usual port.
    let host: String
  }

  init(bytes: [UInt8], range: Range<Int>) throws(Diagnostic) {
    self.bytes = bytes
    self.range = range
    var start = range.lowerBound
    if bytes[start] != UInt8(ascii: "/") {
      var reader = OriginReader(bytes: bytes, range: range)
      origin = try reader.origin()
      start = reader.end
    }
    let mark = bytes[start..<range.upperBound].firstIndex(of: UInt8(ascii: "?"))
    path = start..<(mark ?? range.upperBound)
    query = mark.map { $0 + 1..<range.upperBound }
    try checkBytes(from: start)
  }

  private func checkBytes(from start: Int) throws(Diagnostic) {
    for place in start..<range.upperBound {
      switch bytes[place] {
      case UInt8(ascii: "#"):
        throw Diagnostic(
          .malformedTarget("'#' and the text after it are never sent to a server"),
          at: place..<range.upperBound,
          hint: "remove it, or write '#' as %23"
        )
      case let byte where byte == 0x7F || "\"\\<>^`|".utf8.contains(byte):
        let code = String(byte, radix: 16, uppercase: true)
        throw Diagnostic(
          .malformedTarget("an address must not have this character"),
          at: place..<place + 1,
          hint: "write it as %\(code)"
        )
      default: continue
      }
    }
  }

  // MARK: Parts

  /// Returns the segments of the path; none for `/`.
  var segments: [Range<Int>] {
    let start = path.lowerBound + 1
    guard start < path.upperBound else { return [] }
    return parts(of: start..<path.upperBound, separator: UInt8(ascii: "/"))
  }

  /// Returns the names and values of the query; a name without `=` has no value.
  var items: [(name: Range<Int>, value: Range<Int>?)] {
    guard let query, !query.isEmpty else { return [] }
    return parts(of: query, separator: UInt8(ascii: "&")).map { item in
      guard let mark = bytes[item].firstIndex(of: UInt8(ascii: "=")) else { return (item, nil) }
      return (item.lowerBound..<mark, mark + 1..<item.upperBound)
    }
  }

  private func parts(of range: Range<Int>, separator: UInt8) -> [Range<Int>] {
    bytes[range].split(separator: separator, omittingEmptySubsequences: false).map(\.indices)
  }

  /// Returns the text of a part with its escapes decoded.
  func text(_ part: Range<Int>, in place: PercentCoding.URLPart) throws(Diagnostic) -> String {
    if let brace = bytes[part].firstIndex(where: \.isBrace) { throw strayBrace(brace, in: part) }
    let (decoded, broken) = PercentCoding.decoded(bytes[part], plusIsSpace: place == .query)
    if let broken { throw brokenEscape(at: part.lowerBound + broken) }
    guard let text = String(validating: decoded, as: UTF8.self) else {
      throw Diagnostic(
        .malformedTarget("its escapes are not UTF-8"),
        at: part,
        hint: "é is written as %C3%A9 or é"
      )
    }
    return text
  }

  func brokenEscape(at place: Int) -> Diagnostic {
    Diagnostic(
      .malformedTarget("two hexadecimal digits must follow '%'"),
      at: place..<min(place + 3, range.upperBound),
      hint: "write '%' itself as %25"
    )
  }

  private func strayBrace(_ place: Int, in part: Range<Int>) -> Diagnostic {
    let isOpen = bytes[place] == UInt8(ascii: "{")
    let isClosed = bytes[place..<part.upperBound].contains(UInt8(ascii: "}"))
    if isOpen, !isClosed {
      return Diagnostic(
        .malformedTarget("'{' is never closed"),
        at: place..<part.upperBound,
        hint: "close it with '}', or write '{' as %7B"
      )
    }
    return Diagnostic(
      .malformedTarget("a capture must be a whole segment or a whole value of the query"),
      at: part,
      hint: "as in /users/{id} or ?page={page}; write '{' itself as %7B"
    )
  }
}

extension UInt8 {
  var isBrace: Bool { self == UInt8(ascii: "{") || self == UInt8(ascii: "}") }
}
