import RehearsalBase

/// Reads a load or values inside a pipe, and checks where `{value}` may be.
extension Parser {
  /// Reads `VALUE`, `fail ERROR`, `never` or `from REQUEST`, or alternatives of these separated by
  /// `or`; then `after D [to D]` and `as TYPE`.
  mutating func pipeLoad() throws(Diagnostic) -> PipeSpec.LoadSpec {
    var outcomes = [try loadOutcome()]
    while accept("or") != nil { outcomes.append(try loadOutcome()) }
    let end = endOfTaken
    var after: DurationRange?
    var type: TypeExpression?
    while true {
      let word = nextSpan
      if accept("after") != nil {
        guard after == nil else { throw Diagnostic(.repeatedClause("after"), at: word) }
        after = try durationRange().value
      } else if accept("as") != nil {
        guard type == nil else { throw Diagnostic(.repeatedClause("as"), at: word) }
        type = try self.type()
      } else if isNext("or") {
        throw lateAnswer(behind: end)
      } else {
        return PipeSpec.LoadSpec(outcomes: outcomes, after: after, type: type)
      }
    }
  }

  private mutating func loadOutcome() throws(Diagnostic) -> PipeSpec.LoadSpec.Outcome {
    if let source = try requestSourceIfAny() { return .request(source) }
    if accept("fail") != nil { return .fail(try error().value) }
    if accept("never") != nil { return .never }
    if isAtEnd || isNext(byte: UInt8(ascii: "|")) || isNext(byte: UInt8(ascii: ")")) {
      expect(.sample("a JSON value", example: "\"text\""))
      throw expected("the answer of the load", hint: "a JSON value, 'from', 'fail' or 'never'")
    }
    return .value(try pipeValue())
  }

  // MARK: Values

  mutating func pipeValues() throws(Diagnostic) -> [JSONValue] {
    var values: [JSONValue] = []
    repeat { values.append(try pipeValue()) } while accept(byte: UInt8(ascii: ","))
    return values
  }

  /// Reads a value whose texts may contain `{value}`.
  mutating func pipeValue() throws(Diagnostic) -> JSONValue {
    try countPart()
    if bytes[position...].starts(with: "{value".utf8) { throw barePlaceholder() }
    let value = try value()
    try checkPlaceholders(in: value.value, at: value.span)
    return value.value
  }

  private func barePlaceholder() -> Diagnostic {
    let end = bytes[position...].firstIndex(of: UInt8(ascii: "}")).map { $0 + 1 }
    let span = position..<(end ?? position + "{value".utf8.count)
    return Diagnostic(
      .malformedValue("a placeholder must be in quotes"),
      at: span,
      .suggestion("\"\(text(span).printable(atMost: 30))\"")
    )
  }

  func checkPlaceholders(in value: JSONValue, at span: Range<Int>) throws(Diagnostic) {
    switch value {
    case .null, .bool, .number: return
    case .string(let text):
      for piece in PipeTemplate(text).pieces { try check(piece, at: span) }
    case .array(let values):
      for value in values { try checkPlaceholders(in: value, at: span) }
    case .object(let fields):
      for field in fields { try checkPlaceholders(in: field.value, at: span) }
    }
  }

  /// Throws an error for an unknown placeholder, or for one outside of `map` and `flatMap`.
  func check(_ piece: PipeTemplate.Piece, at span: Range<Int>) throws(Diagnostic) {
    switch piece {
    case .value where !pipePlace.hasValue:
      throw Diagnostic(
        .nothingComesIn(piece.text.printable(atMost: 30)),
        at: span,
        hint: "use it inside 'map' or 'flatMap'"
      )
    case .unknown where pipePlace.hasValue:
      throw Diagnostic(
        .unknownPlaceholder(piece.text.printable(atMost: 30)),
        at: span,
        hint: Suggestion.hint(for: piece.text, in: ["{value}"])
          ?? "'{value}' is the incoming value, '{value.name}' a field of it; there are no other placeholders"
      )
    case .text, .value, .unknown: return
    }
  }
}
