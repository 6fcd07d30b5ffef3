import RehearsalBase

/// Reads the arguments of a pipe's operators: mappings, conditions, inner pipes, buffers, queues.
extension Parser {
  /// Reads `FIELD`, `VALUE`, `(PIPE)` or `load …`.
  mutating func mapping() throws(Diagnostic) -> PipeSpec.Mapping {
    expect(.sample("a field, or a path to one", example: "name"))
    if isNext("load") || isNext(byte: UInt8(ascii: "(")) { return .pipe(try innerPipe()) }
    expect(.described("load", "a load for each value"))
    expect(.keyword("("))
    let word = wordRange().map { text($0) }
    let transform = try transform()
    if let word, PipeWords.source[word] != nil, !isAtEnd, wordRange() != nil || isNextBareValue {
      throw Diagnostic(
        .unexpected(text(nextSpan).printable(atMost: 30)),
        at: nextSpan,
        hint: "put a pipe into parentheses: (\(word) …)"
      )
    }
    return .value(transform)
  }

  /// Reads `FIELD` or `VALUE`.
  private mutating func transform() throws(Diagnostic) -> PipeSpec.Transform {
    expect(.sample("a field, or a path to one", example: "name"))
    guard isNextField else { return .template(try withValue(Self.readValue)) }
    return .field(Self.path(try fieldPath().value))
  }

  /// Reads `FIELD` or `VALUE`, or nothing for the value itself.
  mutating func transformIfAny() throws(Diagnostic) -> PipeSpec.Transform {
    expect(.sample("a field, or a path to one", example: "name"))
    let isOver =
      isAtEnd || isNext(byte: UInt8(ascii: "|")) || isNext(byte: UInt8(ascii: ")"))
    return isOver ? .field([]) : try transform()
  }

  /// Reads `[FIELD | VALUE] fail ERROR [if CONDITION]`.
  mutating func throwingMap() throws(Diagnostic) -> PipeSpec.Stage {
    var transform = PipeSpec.Transform.field([])
    if accept("fail") == nil {
      transform = try transformIfAny()
      guard accept("fail") != nil else {
        throw expected("'fail' and an error", hint: "as in 'tryMap name fail \"no name\"'")
      }
    }
    let error = try error().value
    let condition = accept("if") == nil ? nil : try pipeCondition()
    return .tryMap(transform, error, if: condition)
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

  /// Reads what `prepend` and `append` insert: values, a load, a name, or a pipe in parentheses.
  mutating func insertion() throws(Diagnostic) -> PipeSpec {
    if isNext("load") { return try loadAlone() }
    expect(.described("load", "a load"))
    expect(.keyword("("))
    expect(.valueSource)
    if isNext(byte: UInt8(ascii: "(")) { return try enclosedPipe() }
    if isNextField { return try otherSource() }
    guard !isAtEnd, !isNext(byte: UInt8(ascii: "|")), !isNext(byte: UInt8(ascii: ")")) else {
      throw expected(
        "a value or a source",
        hint: "as in 'append 1, 2' and 'append (just 1 | delay 1s)'"
      )
    }
    let start = position
    let values = try pipeValues()
    return PipeSpec(source: Located(.values(values), at: start..<endOfTaken))
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
          ? .suggestion("'=='") : .general("the comparisons are == != < <= > >=")
      )
    }
    take(to: position + found.rawValue.utf8.count)
    return found
  }

  /// Reads what `collect` collects: nothing, `N`, or `D [max N]`.
  mutating func collection() throws(Diagnostic) -> PipeSpec.Stage {
    expect(.sample("a number of values", example: "3"))
    expect(.sample("a duration", example: "250ms"))
    guard isNextNumber, let range = numberRange() else { return .collect }
    guard bytes[range].contains(where: { !$0.isDigit && $0 != UInt8(ascii: "-") }) else {
      return .collectByCount(try integer("a number of values", in: 1...Int.max).value)
    }
    let window = try positiveDuration()
    guard accept("max") != nil else { return .collectByTime(window, most: nil) }
    let most = try integer("a number of values", in: 1...Int.max).value
    return .collectByTime(window, most: most)
  }

  /// Reads `N [byRequest|keepFull] [dropOldest|dropNewest|fail ERROR]`.
  mutating func buffer() throws(Diagnostic) -> PipeSpec.Stage {
    let size = try integer("a number of values", in: 1...Int.max).value
    let keepsFull = accept("keepFull") != nil
    if !keepsFull { _ = accept("byRequest") }
    var whenFull = PipeSpec.Overflow.dropOldest
    if accept("dropNewest") != nil {
      whenFull = .dropNewest
    } else if accept("fail") != nil {
      whenFull = .fail(try error().value)
    } else {
      _ = accept("dropOldest")
    }
    return .buffer(size, keepsFull: keepsFull, whenFull: whenFull)
  }

  /// Reads `on QUEUE`.
  mutating func queue(of word: String) throws(Diagnostic) -> PipeSpec.Queue {
    guard accept("on") != nil else {
      throw expected("'on'", hint: "as in '\(word) on main'")
    }
    for queue in PipeSpec.Queue.allCases where accept(queue.rawValue) != nil { return queue }
    throw expected("a queue", hint(in: PipeSpec.Queue.allCases.map(\.rawValue)))
  }

  /// Reads the names of events, separated by commas, or nothing for all.
  mutating func handledEvents() throws(Diagnostic) -> Set<PipeSpec.HandledEvent> {
    let all = PipeSpec.HandledEvent.allCases
    for event in all { expect(.keyword(event.rawValue)) }
    guard wordRange() != nil else { return Set(all) }
    var events: Set<PipeSpec.HandledEvent> = []
    repeat {
      guard let event = all.first(where: { accept($0.rawValue) != nil }) else {
        throw expected("an event", hint(in: all.map(\.rawValue)))
      }
      events.insert(event)
    } while accept(byte: UInt8(ascii: ","))
    return events
  }

  /// Returns the hint for a word that is none of these.
  private func hint(in words: [String]) -> Hint {
    wordRange().flatMap { Hint.nearest(to: text($0), in: words) }
      ?? .advice("one of " + words.joined(separator: ", "))
  }

  /// Reads a duration longer than zero.
  mutating func positiveDuration() throws(Diagnostic) -> Duration {
    let duration = try duration()
    guard duration.value > .zero else {
      throw Diagnostic(
        .numberOutOfRange(text(duration.span), allowed: "longer than 0s"),
        at: duration.span,
        hint: "as in '250ms' or '2s'"
      )
    }
    return duration.value
  }

  /// Reads an operation and `[from VALUE]`.
  mutating func accumulationWithStart() throws(Diagnostic) -> (
    PipeSpec.Accumulation, JSONValue?
  ) {
    let kind = try accumulation()
    return (kind, accept("from") == nil ? nil : try pipeValue())
  }

  private mutating func accumulation() throws(Diagnostic) -> PipeSpec.Accumulation {
    for kind in PipeSpec.Accumulation.allCases where accept(kind.rawValue) != nil { return kind }
    throw expected("an operation", hint(in: PipeSpec.Accumulation.allCases.map(\.rawValue)))
  }

  // MARK: Fields

  /// Whether a word is next that is not a value.
  private var isNextField: Bool {
    guard let range = wordRange(), !bytes[range.lowerBound].isDigit else { return false }
    return !["true", "false", "null"].contains(text(range))
  }

  var isNextNumber: Bool { wordRange().map { bytes[$0.lowerBound].isDigit } ?? false }

  /// The hint for `drop` without a condition.
  var hintForDrop: Hint {
    guard isNextNumber, let range = wordRange() else {
      return .advice("as in 'drop while < 3' or 'drop until start'")
    }
    return .suggestion("'dropFirst \(text(range).printable(atMost: 30))'")
  }

}
