import RehearsalBase

/// The position of the parser in a pipe, whose source and operators it reads here.
struct PipePlace {
  /// Number of open parentheses.
  var depth = 0
  var isInside: Bool { parts > 0 }
  /// Number of sources, stages and values so far.
  var parts = 0
  /// Whether `{value}` has a value: inside `map` and `flatMap`.
  var hasValue = false

  static let deepest = 16
  static let mostParts = 1000
}

extension Parser {
  /// Reads a source and its stages, up to the end, a closing parenthesis or a comma.
  package mutating func pipe() throws(Diagnostic) -> PipeSpec {
    let first = try pipeSource()
    var stages = first.stages
    while accept(byte: UInt8(ascii: "|")) {
      for stage in PipeWords.stages { expect(.described(stage.word, stage.summary)) }
      guard !isAtEnd else { throw openPipe() }
      stages.append(try pipeStage())
    }
    try checkEnd(of: first)
    return PipeSpec(source: first.source, stages: stages)
  }

  // MARK: Sources

  /// Reads a source. A source in parentheses has its own stages.
  private mutating func pipeSource() throws(Diagnostic) -> PipeSpec {
    for source in PipeWords.sources { expect(.described(source.word, source.summary)) }
    expect(.valueSource)
    expect(.keyword("("))
    if isNext(byte: UInt8(ascii: "(")) { return try enclosedPipe() }
    try countPart()
    let start = position
    guard let range = wordRange(), !bytes[range.lowerBound].isDigit else {
      throw expected("a source", hintForSource)
    }
    let name = text(range)
    mark(PipeWords.source[name] == nil ? .member : .keyword, range)
    take(to: range.upperBound)
    let source = try PipeWords.source[name]?.read(&self) ?? .member(name)
    return PipeSpec(source: Located(source, at: start..<endOfTaken))
  }

  private var hintForSource: Hint {
    guard !isAtEnd, let value = upcomingValue else {
      return .advice("a source is a name, '(', or " + Self.listed(PipeWords.sources.map(\.word)))
    }
    return .suggestion("'just \(value.text(within: 30))'")
  }

  private var upcomingValue: JSONValue? {
    var cursor = JSONCursor(bytes, at: position, textsMaySpanLines: true)
    return try? cursor.value()
  }

  /// Throws an error if an operator follows a pipe without a '|'.
  private func checkEnd(of first: PipeSpec) throws(Diagnostic) {
    guard let range = wordRange() else { return }
    let word = text(range)
    var hint: Hint?
    if PipeWords.stage[word] != nil {
      hint = .advice("write '|' before an operator")
    } else if case .member(let name) = first.source.value,
      first.source.span.upperBound == endOfTaken
    {
      hint = Hint.nearest(to: name, in: PipeWords.sources.map(\.word))
    }
    guard let hint else { return }
    throw Diagnostic(.unexpected(word.printable(atMost: 30)), at: range, hint)
  }

  /// Reads `(PIPE)`.
  mutating func enclosedPipe() throws(Diagnostic) -> PipeSpec {
    let opening = nextSpan
    guard accept(byte: UInt8(ascii: "(")) else {
      throw expected("a pipe in parentheses", hint: "as in '(just 1 | delay 1s)'")
    }
    pipePlace.depth += 1
    defer { pipePlace.depth -= 1 }
    guard pipePlace.depth <= PipePlace.deepest else {
      throw Diagnostic(.nestedTooDeep(limit: PipePlace.deepest), at: opening)
    }
    do throws(Diagnostic) {
      let pipe = try pipe()
      guard accept(byte: UInt8(ascii: ")")) else { throw expected("'|' or ')'") }
      return pipe
    } catch {
      guard case .expected(_, found: nil) = error.problem else { throw error }
      throw Diagnostic(.unfinished("the parenthesis"), at: opening, hint: "close it with ')'")
    }
  }

  /// Reads names of sources, or pipes in parentheses, separated by commas.
  mutating func otherSources() throws(Diagnostic) -> [PipeSpec] {
    var sources: [PipeSpec] = []
    repeat { sources.append(try otherSource()) } while accept(byte: UInt8(ascii: ","))
    return sources
  }

  /// Reads the name of a source, or a pipe in parentheses.
  mutating func otherSource() throws(Diagnostic) -> PipeSpec {
    if let word = wordRange().map({ text($0) }), PipeWords.source[word] != nil {
      throw expected("a name", hint: "put '\(word)' into parentheses: (\(word) …)")
    }
    return try pipeSource()
  }

  // MARK: Stages

  private mutating func pipeStage() throws(Diagnostic) -> Located<PipeSpec.Stage> {
    try countPart()
    let start = position
    let words = PipeWords.stages.map(\.word)
    guard let range = wordRange() else {
      throw expected("an operator", hint: "the operators are " + Self.listed(words))
    }
    guard let stage = PipeWords.stage[text(range)] else {
      throw Diagnostic(
        .unknownOperator(text(range).printable(atMost: 30)),
        at: range,
        hint: Suggestion.hint(for: text(range), in: words)
          ?? "the operators are " + Self.listed(words)
      )
    }
    mark(.keyword, range)
    take(to: range.upperBound)
    return Located(try stage.read(&self), at: start..<endOfTaken)
  }

  private static func listed(_ words: [String]) -> String {
    words.map { "'\($0)'" }.joined(separator: ", ")
  }

  private func openPipe() -> Diagnostic {
    Diagnostic(
      .unfinishedPipe,
      at: endOfTaken - 1..<endOfTaken,
      hint: "name an operator, or remove the last '|'"
    )
  }

  mutating func countPart() throws(Diagnostic) {
    pipePlace.parts += 1
    guard pipePlace.parts <= PipePlace.mostParts else {
      throw Diagnostic(.tooMany("parts in one pipe", limit: PipePlace.mostParts), at: nextSpan)
    }
  }
}
