/// Reads commands.
package enum Script {
  /// The longest command that is read, in bytes.
  package static let longestCommand = 256 * 1024

  /// What a piece of text turned out to be.
  package enum Reading: Sendable {
    /// Blank, or only a comment.
    case nothing
    case command(ParsedCommand)
    /// A bracket or a quote is open; the command goes on in the next line.
    case unfinished(Diagnostic)
  }

  package static func read(_ text: String, table: CommandTable) throws(Diagnostic) -> Reading {
    guard text.utf8.count <= longestCommand else {
      throw Diagnostic(
        .tooLong(bytes: text.utf8.count, limit: longestCommand),
        at: 0..<0,
        hint: "put large values into a file"
      )
    }
    var parser = Parser(text, table: table)
    parser.skipBlanks()
    if parser.isAtEnd { return .nothing }
    do throws(Diagnostic) {
      return .command(try parser.command())
    } catch {
      if error.problem.isUnfinished { return .unfinished(error) }
      throw withHint(error, text: text, table: table)
    }
  }

  /// Whether a bracket or a quote is open, so that more lines are needed.
  package static func isUnfinished(_ text: String, table: CommandTable) -> Bool {
    openPlace(in: text, table: table) != nil
  }

  /// What a text leaves open.
  enum OpenPlace: Equatable {
    /// A JSON value that begins at this byte.
    case value(Int)
    /// A pipe, between two words of it.
    case pipe
    case elsewhere
  }

  /// What more lines would have to close; nil where more lines cannot make it whole.
  static func openPlace(in text: String, table: CommandTable) -> OpenPlace? {
    guard text.utf8.count <= longestCommand else { return nil }
    var parser = Parser(text, table: table)
    parser.skipBlanks()
    if parser.isAtEnd { return nil }
    do throws(Diagnostic) {
      _ = try parser.command()
      return nil
    } catch {
      guard error.problem.isUnfinished else { return nil }
      if let value = parser.openValue { return .value(value) }
      return parser.pipePlace.isInside ? .pipe : .elsewhere
    }
  }

  /// What could stand at a byte of a command whose text before it is correct.
  package static func expectations(
    at place: Int,
    in text: String,
    table: CommandTable
  ) -> [Acceptable] {
    var parser = Parser(text, table: table, watched: place)
    parser.skipBlanks()
    _ = try? parser.command()
    return parser.expectations
  }

  /// Adds the word that was probably meant, found among those that could have stood there.
  private static func withHint(
    _ diagnostic: Diagnostic,
    text: String,
    table: CommandTable
  ) -> Diagnostic {
    guard diagnostic.hint == nil else { return diagnostic }
    switch diagnostic.problem {
    case .expected(_, found: nil):
      let verb = text.split(separator: " ").first.map(String.init) ?? ""
      guard table.index(of: verb) != nil else { return diagnostic }
      var result = diagnostic
      result.hint = "'help \(verb)' shows how it is written"
      return result
    case .expected(_, found: .some), .unexpected: break
    default: return diagnostic
    }
    let expected = expectations(at: diagnostic.span.lowerBound, in: text, table: table)
    let keywords = expected.compactMap { expectation -> String? in
      switch expectation {
      case .keyword(let word), .described(let word, _): word
      default: nil
      }
    }
    let bytes = Array(text.utf8)
    let span = diagnostic.span.clamped(to: bytes.startIndex..<bytes.endIndex)
    let word = String(decoding: bytes[span], as: UTF8.self)
    var result = diagnostic
    result.hint = Suggestion.hint(for: word, in: keywords)
    if result.hint == nil, !keywords.isEmpty, case .unexpected = diagnostic.problem {
      let words = keywords.filter { $0.utf8.count > 1 }.map { "'\($0)'" }
      if !words.isEmpty { result.hint = "what may follow: " + words.joined(separator: ", ") }
    }
    return result
  }
}

extension Parser {
  /// Reads a whole command, to the end of the text.
  package mutating func command() throws(Diagnostic) -> ParsedCommand {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepestCommand else {
      throw Diagnostic(.nestedTooDeep(limit: Self.deepestCommand), at: nextSpan)
    }
    if depth == 1 { expect(.verb) }
    let start = position
    guard let range = wordRange() else {
      throw expected("a command", hint: "type 'help' for all commands")
    }
    let verb = Located(text(range), at: range)
    guard let index = table.index(of: verb.value) else {
      throw Diagnostic(
        .unknownCommand(verb.value.printable(atMost: 30)),
        at: range,
        hint: Self.hint(forUnknown: verb.value, in: table)
      )
    }
    mark(.verb, range)
    take(to: range.upperBound)
    let definition = table.definitions[index]
    let outerWords = clauseWords
    clauseWords = definition.clauseWords
    defer { clauseWords = outerWords }
    var arguments = Arguments()
    try read(parts: definition.arguments + [.clauses(definition.clauses)], into: &arguments)
    guard isAtEnd else {
      throw Diagnostic(.unexpected(text(nextSpan).printable(atMost: 30)), at: nextSpan)
    }
    return ParsedCommand(
      index: index,
      verb: verb,
      arguments: arguments,
      text: text(start..<bytes.count),
      source: text(0..<bytes.count)
    )
  }

  private static func hint(forUnknown verb: String, in table: CommandTable) -> String {
    if verb == "exit" { return "'quit' ends the session" }
    return PipeWords.hint(forCommand: verb) ?? Suggestion.hint(for: verb, in: table.verbs)
      ?? "type 'help' for all commands"
  }

  /// How deep `in`, `at` and `do` may nest.
  private static let deepestCommand = 16

  /// Reads a command that is to run later.
  package mutating func laterCommand(of verb: String) throws(Diagnostic) -> ParsedCommand {
    expect(.laterVerb)
    let command = try command()
    if let clause = table.definitions[command.index].timedClause,
      let span = command.arguments.span(of: clause)
    {
      throw Diagnostic(
        .notHere(verb: clause, place: verb),
        at: span,
        hint: "only commands that take no time can run later"
      )
    }
    guard table.definitions[command.index].canBeScheduled else {
      throw Diagnostic(
        .notHere(verb: command.verb.value, place: verb),
        at: command.verb.span,
        hint: "only commands that take no time can run later"
      )
    }
    return command
  }
}
