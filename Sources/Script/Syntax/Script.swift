import RehearsalBase

/// Parses a whole command: its verb, unfinished texts, nested commands, and the hint for a mistyped word.
package enum Script {
  /// The longest accepted command, in bytes.
  package static let longestCommand = 256 * 1024

  /// The result of parsing a text.
  package enum Reading: Sendable {
    /// Blank, or only a comment.
    case nothing
    case command(ParsedCommand)
    /// A bracket or a quote is open; the command continues in the next line.
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
    if let known = table.known(text) { return .command(known) }
    var parser = Parser(text, table: table)
    try parser.refuseGap()
    if parser.isAtEnd { return .nothing }
    do throws(Diagnostic) {
      let command = try parser.command()
      try parser.refuseGap()
      table.keep(command)
      return .command(command)
    } catch {
      if error.problem.isUnfinished { return .unfinished(error) }
      try parser.refuseGap()
      throw withHint(error, text: text, table: table)
    }
  }

  /// Whether a bracket or a quote is open, so that more lines are needed.
  package static func isUnfinished(_ text: String, table: CommandTable) -> Bool {
    openPlace(in: text, table: table) != nil
  }

  /// The open part of a text.
  enum OpenPlace: Equatable {
    /// A JSON value that begins at this byte.
    case value(Int)
    /// A pipe, between two words of it.
    case pipe
    case elsewhere
  }

  /// Returns the part that more lines must close; nil if more lines cannot complete the text.
  static func openPlace(in text: String, table: CommandTable) -> OpenPlace? {
    guard text.utf8.count <= longestCommand else { return nil }
    var parser = Parser(text, table: table)
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

  /// Returns everything that is accepted at a byte of a command, if its text before the byte is
  /// correct.
  package static func expectations(
    at place: Int,
    in text: String,
    table: CommandTable
  ) -> [Acceptable] {
    var parser = Parser(text, table: table, watched: place)
    _ = try? parser.command()
    return parser.expectations
  }

  /// Adds a suggestion of a similar word that is accepted at the error. It overrides other hints.
  private static func withHint(
    _ diagnostic: Diagnostic,
    text: String,
    table: CommandTable
  ) -> Diagnostic {
    var result = diagnostic
    let isCertain = diagnostic.remedy?.isSuggestion == true
    switch diagnostic.problem {
    case .expected(_, found: nil):
      if diagnostic.remedy == nil { result.remedy = hintForUsage(of: text, table) }
    case .expected(_, found: .some) where isCertain, .malformedValue where isCertain: break
    case .unexpected where [";", "&"].contains(diagnostic.word(in: text)):
      let verb = text.split(separator: " ").first.map(String.init) ?? ""
      let isAssertion = table.definition(of: verb)?.effects.contains(.asserts) == true
      result.remedy = .advice(isAssertion && text.contains("&&") ? adviceOnStates : adviceOnLines)
    case .expected(_, found: .some), .unexpected, .malformedValue, .malformedTarget:
      // Inside a JSON value no word is expected.
      if case .malformedValue = diagnostic.problem, isInBrackets(diagnostic.span, of: text) {
        break
      }
      let words = words(at: diagnostic.span.lowerBound, in: text, table: table)
      let meant = Hint.nearest(to: diagnostic.word(in: text), in: words.meant)
      result.remedy = meant ?? diagnostic.remedy
      if case .unexpected = diagnostic.problem, result.remedy == nil {
        let shown = words.expected.filter { $0.utf8.count > 1 || $0 == "," }.map { "'\($0)'" }
        result.remedy =
          shown.isEmpty
          ? hintForUsage(of: text, table)
          : .general("possible continuations: " + shown.joined(separator: ", "))
      }
    default: break
    }
    return result
  }

  /// Whether a range is inside of an object or an array.
  private static func isInBrackets(_ span: Range<Int>, of text: String) -> Bool {
    text.utf8.prefix(span.lowerBound).reduce(0) { depth, byte in
      "{[".utf8.contains(byte) ? depth + 1 : "]}".utf8.contains(byte) ? depth - 1 : depth
    } > 0
  }

  /// The hint if several commands are in one line.
  package static let adviceOnLines = "write each command on a separate line"

  private static let adviceOnStates =
    "a check is about the state of one member; a Swift test can combine several in an expectation"

  private static func hintForUsage(of text: String, _ table: CommandTable) -> Hint? {
    let verb = text.split(separator: " ").first.map(String.init) ?? ""
    return table.index(of: verb) == nil ? nil : .general("'help \(verb)' shows its syntax")
  }

  /// Returns the accepted words at a position, and the words that may have been meant: also clauses
  /// that could follow, and words among values. Methods are left out, because a similar text is a
  /// path.
  private static func words(
    at place: Int,
    in text: String,
    table: CommandTable
  ) -> (expected: [String], meant: [String]) {
    var parser = Parser(text, table: table, watched: place)
    _ = try? parser.command()
    var expected: [String] = []
    var meant: [String] = []
    for expectation in parser.expectations {
      switch expectation {
      case .keyword(let word), .described(let word, _): expected.append(word)
      case .sample("a JSON value", _): meant += ["true", "false", "null"]
      default: break
      }
    }
    let methods = Set(Parser.methodNames)
    meant += expected.filter { $0.utf8.count > 1 && !methods.contains($0) }
    return (expected, meant + parser.clausesOfMistake.sorted())
  }
}

extension Parser {
  /// Parses a whole command.
  package mutating func command() throws(Diagnostic) -> ParsedCommand {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepestCommand else {
      throw Diagnostic(.nestedTooDeep(limit: Self.deepestCommand), at: nextSpan)
    }
    if depth == 1 { expect(.verb) }
    let start = position
    guard let range = wordRange() else {
      let isComment = ["//", "--", "/*"].contains(text(position..<min(position + 2, bytes.count)))
      throw expected(
        "a command",
        isComment ? .advice("a comment begins with '#'") : .general(Self.usualAdvice)
      )
    }
    guard
      let index = table.index(from: bytes[range.lowerBound], where: { isNext($0) })
        ?? table.index(of: text(range))
    else {
      let verb = text(range)
      throw Diagnostic(
        .unknownCommand(verb.printable(atMost: 30)),
        at: range,
        Self.hint(forUnknown: verb, isAlone: isBlank(after: range), in: table)
      )
    }
    mark(.verb, range)
    take(to: range.upperBound)
    let definition = table.definitions[index]
    let outerWords = clauseWords
    clauseWords = definition.clauseWords
    clausesOfMistake = clauseWords
    defer { clauseWords = outerWords }
    endOfAnswers = nil
    let outerEffects = containedEffects
    containedEffects = []
    defer { containedEffects = outerEffects }
    var arguments = Arguments()
    try read(parts: definition.parts, into: &arguments)
    guard isAtEnd else {
      if isNext("or"), let end = endOfAnswers { throw lateAnswer(behind: end) }
      throw Diagnostic(.unexpected(text(nextSpan).printable(atMost: 30)), at: nextSpan)
    }
    let effects = definition.effects(with: arguments)
    return ParsedCommand(
      index: index,
      verb: Located(definition.verb, at: range),
      arguments: arguments,
      effects: effects,
      allEffects: effects.union(containedEffects),
      text: start == 0 ? source : text(start..<bytes.count),
      source: source
    )
  }

  /// Whether nothing but blanks follows a word.
  private func isBlank(after range: Range<Int>) -> Bool {
    bytes[range.upperBound...].allSatisfy { $0 <= 0x20 }
  }

  private static func hint(
    forUnknown verb: String,
    isAlone: Bool,
    in table: CommandTable
  ) -> Hint {
    switch verb {
    case "rename", "mv": return .advice("a name cannot be changed; 'forget' makes it free")
    case "exit": return .advice("'quit' ends the session")
    case "if", "for", "while", "loop", "foreach":
      return .advice(
        "there are no loops and no conditions; the Swift code of a scene can have them"
      )
    case "restart" where isAlone:
      return .advice(
        "'retry NAME' starts a load again; 'quit' ends the session, and a new one is empty"
      )
    case "history":
      return .advice(
        "'save FILE' writes the commands so far, and 'log' prints the events; the arrow keys and Ctrl-R find earlier commands"
      )
    case "count":
      return .advice(
        "'show NAME' has the number of attempts, and 'requests' lists the requests; in a pipe, 'count' is an operator"
      )
    case "clear" where isAlone: return .advice("Ctrl-L clears the screen")
    case "clear": return .general(usualAdvice)
    default: break
    }
    if let hint = PipeWords.hint(forCommand: verb) { return .general(hint) }
    return Hint.nearest(to: verb, in: table.verbs) ?? .general(usualAdvice)
  }

  /// The hint for an unknown command if nothing is known about its word.
  package static let usualAdvice = "'help' lists all commands"

  /// Maximum nesting of `in`, `at` and `do`.
  private static let deepestCommand = 16

  /// Parses a command that is performed later.
  package mutating func laterCommand(of verb: String) throws(Diagnostic) -> ParsedCommand {
    expect(.laterVerb)
    startOfContained = startOfContained ?? position
    let command = try command()
    let definition = table.definitions[command.index]
    guard command.effects.isDisjoint(with: .unschedulable) else {
      let clause = command.arguments.keywords.first { keyword in
        definition.clauseEffects.contains {
          $0.key == keyword.value && !$0.value.isDisjoint(with: .unschedulable)
        }
      }
      let culprit = definition.canBeScheduled ? clause ?? command.verb : command.verb
      throw Diagnostic(
        .notHere(verb: culprit.value, place: verb),
        at: culprit.span,
        hint: "only commands that take no time can be scheduled"
      )
    }
    containedEffects.formUnion(command.allEffects)
    return command
  }
}
