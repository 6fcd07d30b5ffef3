import RehearsalBase
package import Script

/// What the text of a command says without a session: its words, definition, effects, and whether it checks anything.
package enum CommandText {
  /// A command that has no lines yet.
  package static var open: OpenCommand { OpenCommand(table: ShellCommands.table) }

  /// Whether a text has no command: only blanks, or only a comment.
  package static func isBlank(_ text: String) -> Bool {
    if case .nothing? = try? Script.read(text, table: ShellCommands.table) { true } else { false }
  }

  /// Whether a text is one word, which can be a verb.
  static func isWord(_ text: String) -> Bool {
    var parser = Parser(text, table: ShellCommands.table)
    return (try? parser.newName("a verb"))?.value == text && parser.isAtEnd
  }

  /// Whether a scene's command can have a name: it is one word, and no command of the shell.
  package static func canNameVerb(_ name: String) -> Bool {
    isWord(name) && ShellCommands.table.index(of: name) == nil
  }

  /// Whether a scene's member can have a name: it is one word, and not reserved.
  package static func canNameMember(_ name: String) -> Bool {
    isWord(name) && ReservedWords.forMembers[name] == nil
  }

  /// Parses a duration in the syntax of commands; nil if the text is not a duration.
  package static func duration(_ text: String) -> Duration? {
    var parser = Parser(text, table: ShellCommands.table)
    guard let duration = try? parser.duration(), parser.isAtEnd else { return nil }
    return duration.value
  }

  /// Splits a command at its blanks, except those in quotes and brackets.
  static func words(_ text: String) -> [String] {
    var words: [[UInt8]] = []
    var (depth, isQuoted, isEscaped, isApart) = (0, false, false, true)
    for byte in text.utf8 {
      if !isQuoted, depth == 0, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") {
        isApart = true
        continue
      }
      if isApart { words.append([]) }
      isApart = false
      words[words.count - 1].append(byte)
      switch byte {
      case UInt8(ascii: "\""): isQuoted = isEscaped ? isQuoted : !isQuoted
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += isQuoted ? 0 : 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= isQuoted ? 0 : 1
      default: break
      }
      isEscaped = isQuoted && !isEscaped && byte == UInt8(ascii: "\\")
    }
    return words.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the effects of a command and of the commands that it contains.
  ///
  /// A contained command of a scene cannot be parsed here. The result then has the effects of all
  /// verbs among the words.
  static func effects(of text: String) -> CommandEffects {
    if let command = command(text) { return command.allEffects }
    guard definition(of: text) != nil else { return .changes }
    return words(text).reduce([]) {
      $0.union(ShellCommands.table.definition(of: $1)?.effects ?? [])
    }
  }

  /// Parses a command of the shell; nil if the text is another command, or invalid.
  static func command(_ text: String) -> ParsedCommand? {
    guard case .command(let command)? = try? Script.read(text, table: ShellCommands.table) else {
      return nil
    }
    return command
  }

  /// Returns the definition of the command at the beginning of a text; nil for a command of a
  /// scene. The text need not be valid.
  package static func definition(of text: String) -> CommandDefinition? {
    words(text).first.flatMap(ShellCommands.table.definition)
  }

  /// Returns the command that a command schedules, which may belong to a scene; nil if it schedules
  /// none.
  static func scheduledCommand(in text: String) -> String? {
    guard definition(of: text)?.effects.contains(.schedules) == true else { return nil }
    var parser = Parser(text, table: ShellCommands.table)
    _ = try? parser.command()
    return parser.startOfContained.map { parser.text($0..<parser.bytes.count) }
  }

  /// Whether a command chooses the order of jobs.
  static func choosesOrder(_ text: String) -> Bool {
    definition(of: text)?.effects.contains(.choosesOrder) == true
  }

  /// Whether a command is part of the search itself, for example `explore`.
  static func isOfSearch(_ text: String) -> Bool {
    definition(of: text)?.effects.isDisjoint(with: .search) == false
  }

  /// Returns whether a command checks something, now or later. Only its words decide, so the
  /// command need not be valid.
  package static func isAssertion(_ text: String) -> Bool {
    let words = words(text)
    guard let verb = words.first else { return false }
    let table = ShellCommands.table
    let asserts = { table.definition(of: $0)?.effects.contains(.asserts) == true }
    guard let definition = table.definition(of: verb) else {
      return table.verbs.contains { asserts($0) && Suggestion.isMisspelt(verb, for: $0) }
    }
    if definition.effects.contains(.schedules) { return words.dropFirst().contains(where: asserts) }
    return definition.effects.contains(.asserts)
  }

  /// Returns whether a command checks something, or would check something by an interrupt: `load … interrupt … do expect …`.
  static func leadsToAssertion(_ text: String) -> Bool {
    if isAssertion(text) { return true }
    let words = words(text)
    guard let interrupt = words.firstIndex(of: "interrupt"),
      let action = words[interrupt...].firstIndex(of: "do")
    else { return false }
    return leadsToAssertion(words[(action + 1)...].joined(separator: " "))
  }

  /// Returns the name that a command creates for later commands; nil if it creates none, or belongs
  /// to a scene.
  static func name(madeBy text: String) -> String? {
    let words = words(text)
    guard words.count > 1, definition(of: text)?.effects.contains(.declaresName) == true else {
      return nil
    }
    return String(words[1].prefix { $0 != ":" })
  }

  /// Returns a text as a quoted argument.
  package static func quoted(_ text: String) -> String { JSONValue.string(text).text }

  /// Returns a path as an argument: in quotes if it would be read as several words, or as something else.
  static func file(_ path: String) -> String {
    let isPlain =
      path.utf8.allSatisfy { $0 > 0x20 }
      && path.first.map { !"\"#?<>|-".contains($0) } ?? false
    return isPlain ? path.escapingControls : quoted(path)
  }

  /// Returns a hint with the most similar candidate, if one is similar enough.
  package static func suggestion(for word: String, in candidates: [String]) -> String? {
    Suggestion.hint(for: word, in: candidates)
  }
}
