import RehearsalBase
package import Script

/// What a host needs to know about the text of a command before it is performed.
package enum CommandText {
  /// A command of which no line is known yet.
  package static var open: OpenCommand { OpenCommand(table: ShellCommands.table) }

  /// Whether there is no command: blanks, or only a comment.
  package static func isBlank(_ text: String) -> Bool {
    if case .nothing? = try? Script.read(text, table: ShellCommands.table) { true } else { false }
  }

  /// Whether a text is one word, which can be a verb.
  static func isWord(_ text: String) -> Bool {
    var parser = Parser(text, table: ShellCommands.table)
    return (try? parser.newName("a verb"))?.value == text && parser.isAtEnd
  }

  /// A duration as commands write it; nil where it is none.
  package static func duration(_ text: String) -> Duration? {
    var parser = Parser(text, table: ShellCommands.table)
    guard let duration = try? parser.duration(), parser.isAtEnd else { return nil }
    return duration.value
  }

  /// The words of a command: what blanks stand between, but for those in quotes and brackets.
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

  /// The effects of a command and of those that it contains.
  ///
  /// If a contained command is a scene's, which cannot be read here, these are the effects of all verbs among the words.
  static func effects(of text: String) -> CommandEffects {
    if let command = command(text) { return command.allEffects }
    guard definition(of: text) != nil else { return .changes }
    return words(text).reduce([]) {
      $0.union(ShellCommands.table.definition(of: $1)?.effects ?? [])
    }
  }

  /// A command of the shell; nil if the text is another command, or invalid.
  static func command(_ text: String) -> ParsedCommand? {
    guard case .command(let command)? = try? Script.read(text, table: ShellCommands.table) else {
      return nil
    }
    return command
  }

  /// The definition of the command that begins a text, which need not be valid; nil for a command of a scene.
  static func definition(of text: String) -> CommandDefinition? {
    words(text).first.flatMap(ShellCommands.table.definition)
  }

  /// The command that a command schedules, which may be a scene's; nil if it schedules none.
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

  /// Whether a search does the work of a command itself.
  static func isOfSearch(_ text: String) -> Bool {
    definition(of: text)?.effects.isDisjoint(with: .search) == false
  }

  /// Returns whether a command checks something, now or later. Only its words decide, so the command need not be valid.
  static func isAssertion(_ text: String) -> Bool {
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

  /// The name that a command makes for others to use; nil where it makes none, or a scene's.
  static func name(madeBy text: String) -> String? {
    let words = words(text)
    guard words.count > 1, definition(of: text)?.effects.contains(.declaresName) == true else {
      return nil
    }
    return String(words[1].prefix { $0 != ":" })
  }

  /// Text as a quoted argument.
  package static func quoted(_ text: String) -> String { JSONValue.string(text).text }

  /// A hint at the word that may have been meant, if one is near.
  package static func suggestion(for word: String, in candidates: [String]) -> String? {
    Suggestion.hint(for: word, in: candidates)
  }
}
