package import HTTPTypes
package import MockHTTP
import RehearsalBase

/// Reads the pattern of a route or an expectation, and gives it its method, scheme, host, captures and query
/// conditions.
extension Parser {
  /// Reads a pattern of requests, `[METHOD|any] TARGET`. Captures match anything, as does `{any}`,
  /// which may occur more than once. Without a method, it uses `implied`.
  package mutating func requestPattern(
    implying implied: HTTPRequest.Method? = nil
  ) throws(Diagnostic) -> Located<RequestPattern> {
    var names = FieldNames()
    return try requestPattern(implying: implied, capturing: &names)
  }

  /// Whether a pattern is next.
  package var isNextRequestPattern: Bool {
    isNext("any") || isNext(byte: UInt8(ascii: "/")) || isNextAddress
      || Self.methods.contains { isNext($0.rawValue) }
  }

  mutating func requestPattern(
    implying implied: HTTPRequest.Method?,
    capturing names: inout FieldNames
  ) throws(Diagnostic) -> Located<RequestPattern> {
    let start = position
    var method = implied
    if accept("any") != nil {
      method = nil
    } else if let given = try methodIfAny(or: ["any"]) {
      method = given
    }
    let target = try target()
    var pattern = RequestPattern(
      method: method,
      host: target.origin?.host,
      path: PathTemplate(segments: [])
    )
    if let scheme = target.origin?.scheme, scheme != "http" { pattern.scheme = scheme }
    pattern.path.segments = try segments(of: target, capturing: &names)
    pattern.query = try conditions(of: target, capturing: &names)
    return Located(pattern, at: start..<endOfTaken)
  }

  // MARK: Methods

  /// The names of the methods that need no quotes.
  package static var methodNames: [String] { methods.map(\.rawValue) }

  /// The methods that need no quotes.
  static let methods: [HTTPRequest.Method] = [
    .get, .head, .post, .put, .patch, .delete, .options, .trace,
  ]

  /// Reads a method, if the next word is not a target. A custom method is in quotes.
  mutating func methodIfAny(or others: [String] = []) throws(Diagnostic) -> HTTPRequest.Method? {
    for method in Self.methods where accept(method.rawValue) != nil { return method }
    if isNext(byte: UInt8(ascii: "\"")) { return try quotedMethod() }
    guard let range = wordRange(), !bytes[range.lowerBound].isDigit, !isNextAddress else {
      return nil
    }
    let name = text(range)
    guard isTargetNext(after: range) else {
      throw Diagnostic(
        .malformedTarget("it must begin with '/', 'http://' or 'https://'"),
        at: range,
        hint: "did you mean '\(Self.beginning(ofTarget: name))\(name.printable(atMost: 60))'?"
      )
    }
    throw Diagnostic(
      .unknownMethod(name.printable(atMost: 30)),
      at: range,
      hint: Suggestion.hint(for: name, in: Self.methods.map(\.rawValue) + others)
        ?? "the methods are GET, POST and so on; put a custom method in quotes"
    )
  }

  /// Returns the missing beginning of a path, `users`, or of an address, `localhost:80` or `example.com/users`.
  static func beginning(ofTarget word: String) -> String {
    if word.contains(":") { return "http://" }
    let isAddress = word.contains("/") && word.prefix { $0 != "/" }.contains(".")
    return isAddress ? "https://" : "/"
  }

  private func isTargetNext(after range: Range<Int>) -> Bool {
    var rest = self
    rest.take(to: range.upperBound)
    return rest.isNext(byte: UInt8(ascii: "/")) || rest.isNextAddress
  }

  private mutating func quotedMethod() throws(Diagnostic) -> HTTPRequest.Method {
    let name = try text("a method", example: "GET")
    guard let method = HTTPRequest.Method(name.value) else {
      throw Diagnostic(
        .unknownMethod(name.value.printable(atMost: 30)),
        at: name.span,
        .general("a method is a word without blanks, as in GET")
      )
    }
    return method
  }

  /// Whether the next word continues as an address or a path.
  private var isNextAddress: Bool {
    guard let end = wordRange()?.upperBound, end < bytes.count else { return false }
    return bytes[end] == UInt8(ascii: ":") || bytes[end] == UInt8(ascii: "/")
  }

  // MARK: Targets

  mutating func target() throws(Diagnostic) -> TargetReader {
    let what = "a path or an address"
    expect(.target)
    expect(.sample(what, example: "/posts"))
    let end = endOfTarget
    guard end > position else {
      throw expected(what, hint: "as in '/posts' or 'http://localhost/posts'")
    }
    let range = position..<end
    let reader = try TargetReader(bytes: maskingPlaceholders(in: range), range: range)
    take(to: end)
    return reader
  }

  private func segments(
    of target: TargetReader,
    capturing names: inout FieldNames
  ) throws(Diagnostic) -> [PathTemplate.Segment] {
    var segments: [PathTemplate.Segment] = []
    for part in target.segments {
      guard let name = try captureIfAny(part) else {
        segments.append(.literal(try target.text(part, in: .segment)))
        continue
      }
      guard name.hasSuffix("...") else {
        segments.append(.capture(try noted(name, part, in: &names)))
        continue
      }
      guard part.upperBound == target.path.upperBound else {
        throw Diagnostic(
          .malformedTarget("'{\(name.printable(atMost: 30))}' matches all remaining segments"),
          at: part,
          hint: "move it to the end of the path"
        )
      }
      segments.append(.rest(try noted(String(name.dropLast(3)), part, in: &names)))
    }
    return segments
  }

  private func conditions(
    of target: TargetReader,
    capturing names: inout FieldNames
  ) throws(Diagnostic) -> [RequestPattern.Condition] {
    var conditions: [RequestPattern.Condition] = []
    for item in target.items {
      guard !item.name.isEmpty else {
        throw Diagnostic(
          .malformedTarget("a value in the query has no name"),
          at: item.name.lowerBound..<(item.value ?? item.name).upperBound,
          hint: "write it as in '/posts?page=2&sort=title'"
        )
      }
      let name = try target.text(item.name, in: .query)
      let value = try condition(item.value, of: target, capturing: &names)
      conditions.append(.init(name: name, value: value))
    }
    return conditions
  }

  private func condition(
    _ part: Range<Int>?,
    of target: TargetReader,
    capturing names: inout FieldNames
  ) throws(Diagnostic) -> RequestPattern.Condition.Value {
    guard let part else { return .any }
    guard let name = try captureIfAny(part) else {
      return .text(try target.text(part, in: .query))
    }
    return name == "any" ? .any : .capture(try noted(name, part, in: &names))
  }

  // MARK: Captures

  /// Returns the name in braces, if the whole part is in braces.
  func captureIfAny(_ part: Range<Int>) throws(Diagnostic) -> String? {
    guard part.count >= 2, bytes[part.lowerBound] == UInt8(ascii: "{"),
      bytes[part.upperBound - 1] == UInt8(ascii: "}"),
      !bytes[part.dropFirst().dropLast()].contains(where: \.isBrace)
    else { return nil }
    return text(part.lowerBound + 1..<part.upperBound - 1)
  }

  /// Checks the name of a capture, which must be unique.
  func noted(
    _ name: String,
    _ span: Range<Int>,
    in names: inout FieldNames
  ) throws(Diagnostic) -> String {
    guard PathTemplate.isName(name) else {
      throw Diagnostic(
        .malformedTarget("'{\(name.printable(atMost: 30))}' has no name"),
        at: span,
        hint: "a name is made of letters, digits, '_' and '-', as in {id}"
      )
    }
    guard name == "any" || names.insert(name) else {
      throw Diagnostic(
        .repeatedCapture(name.printable(atMost: 30)),
        at: span,
        hint: "give each capture another name; {any} may occur more than once"
      )
    }
    return name
  }
}

extension HTTPRequest.Method {
  /// The name of the method; a custom one in quotes.
  var text: String { Parser.methods.contains(self) ? rawValue : rawValue.inQuotes }
}
