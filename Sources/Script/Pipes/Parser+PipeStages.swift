import RehearsalBase

// The arguments of operators.

extension Parser {
  /// Reads `FIELD`, `VALUE`, `(PIPE)` or `load …`.
  mutating func mapping() throws(Diagnostic) -> PipeSpec.Mapping {
    expect(.sample("a field, or a path to one", example: "name"))
    if isNext("load") || isNext(byte: UInt8(ascii: "(")) { return .pipe(try innerPipe()) }
    expect(.described("load", "a load for each value"))
    expect(.keyword("("))
    guard isNextField else { return .template(try withValue(Self.readValue)) }
    let field = try fieldPath()
    if PipeWords.source[field.value] != nil, !isAtEnd, wordRange() != nil || isNextBareValue {
      throw Diagnostic(
        .unexpected(text(nextSpan).printable(atMost: 30)),
        at: nextSpan,
        hint: "put a pipe into parentheses: (\(field.value) …)"
      )
    }
    return .field(Self.path(field.value))
  }

  /// Reads `(PIPE)` or `load …`, with `{value}` for the incoming value.
  mutating func innerPipe() throws(Diagnostic) -> PipeSpec {
    guard isNext("load") || isNext(byte: UInt8(ascii: "(")) else {
      expect(.described("load", "a load for each value"))
      throw expected("'load' or a pipe in parentheses", hint: "as in '(load from /users/{value})'")
    }
    return try withValue { parser throws(Diagnostic) in
      guard parser.isNext(byte: UInt8(ascii: "(")) else { return try parser.loadAlone() }
      return try parser.enclosedPipe()
    }
  }

  private mutating func loadAlone() throws(Diagnostic) -> PipeSpec {
    let start = position
    _ = accept("load")
    let load = try pipeLoad()
    return PipeSpec(source: Located(.load(load), at: start..<endOfTaken))
  }

  /// Reads the replacement of `catch`: a pipe, or a value.
  mutating func replacement() throws(Diagnostic) -> PipeSpec {
    if isNext("load") { return try loadAlone() }
    expect(.keyword("("))
    guard !isNext(byte: UInt8(ascii: "(")) else { return try enclosedPipe() }
    let start = position
    let value = try pipeValue()
    return PipeSpec(source: Located(.values([value]), at: start..<endOfTaken))
  }

  private mutating func withValue<Part>(
    _ read: (inout Parser) throws(Diagnostic) -> Part
  ) throws(Diagnostic) -> Part {
    let hadValue = pipePlace.hasValue
    pipePlace.hasValue = true
    defer { pipePlace.hasValue = hadValue }
    return try read(&self)
  }

  private static func readValue(_ parser: inout Parser) throws(Diagnostic) -> JSONValue {
    try parser.pipeValue()
  }

  // MARK: Conditions

  /// Reads `[FIELD] OP VALUE`.
  mutating func pipeCondition() throws(Diagnostic) -> PipeSpec.Condition {
    expect(.sample("a field, or 'length'", example: "length"))
    // A number before a comparison is the index of an element.
    let path = isNextField || isNextNumber ? Self.path(try fieldPath().value) : []
    let comparison = try comparison()
    return PipeSpec.Condition(path: path, comparison: comparison, operand: try pipeValue())
  }

  private mutating func comparison() throws(Diagnostic) -> PipeSpec.Comparison {
    for comparison in PipeSpec.Comparison.allCases { expect(.keyword(comparison.rawValue)) }
    let next = bytes[position...]
    // Operators of two characters must be tried first.
    guard
      let found = PipeSpec.Comparison.allCases.first(where: { next.starts(with: $0.rawValue.utf8) })
    else {
      throw expected(
        "a comparison",
        isNext(byte: UInt8(ascii: "="))
          ? .suggestion("'=='") : .advice("the comparisons are == != < <= > >=")
      )
    }
    take(to: position + found.rawValue.utf8.count)
    return found
  }

  mutating func accumulation() throws(Diagnostic) -> PipeSpec.Accumulation {
    for kind in PipeSpec.Accumulation.allCases where accept(kind.rawValue) != nil { return kind }
    let words = PipeSpec.Accumulation.allCases.map(\.rawValue)
    throw expected(
      "an operation",
      wordRange().flatMap { Hint.nearest(to: text($0), in: words) }
        ?? .advice("one of " + words.joined(separator: ", "))
    )
  }

  // MARK: Fields

  /// Whether a word is next that is not a value.
  private var isNextField: Bool {
    guard let range = wordRange(), !bytes[range.lowerBound].isDigit else { return false }
    return !["true", "false", "null"].contains(text(range))
  }

  private var isNextNumber: Bool { wordRange().map { bytes[$0.lowerBound].isDigit } ?? false }

  private mutating func fieldPath() throws(Diagnostic) -> Located<String> {
    let word = try word("a field")
    guard Self.path(word.value).contains(where: \.isEmpty) else { return word }
    throw Diagnostic(
      .expected("a field", found: word.value.printable(atMost: 30)),
      at: word.span,
      hint: "put names between the dots, as in 'author.name'"
    )
  }

  private static func path(_ word: String) -> [String] {
    word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }
}
