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

  /// Returns whether a command checks something, now or later. Only its words decide, so the command need not be valid.
  static func isAssertion(_ text: String) -> Bool {
    let words = words(text)
    guard let verb = words.first else { return false }
    if assertions.contains(verb) { return true }
    if ["in", "at", "between"].contains(verb) {
      return words.dropFirst().contains(where: assertions.contains)
    }
    return ShellCommands.table.index(of: verb) == nil
      && assertions.contains { Suggestion.isMisspelt(verb, for: $0) }
  }

  private static let assertions: Set = ["expect", "always", "never", "eventually"]

  /// The name that a command makes for others to use; nil where it makes none, or a scene's.
  static func name(madeBy text: String) -> String? {
    let words = words(text)
    guard words.count > 1, makers.contains(words[0]) else { return nil }
    return String(words[1].prefix { $0 != ":" })
  }

  private static let makers: Set = [
    "loadable", "process", "input", "pipe", "publisher", "endpoint", "shape",
  ]

  /// Text as a quoted argument.
  package static func quoted(_ text: String) -> String { JSONValue.string(text).text }

  /// A hint at the word that may have been meant, if one is near.
  package static func suggestion(for word: String, in candidates: [String]) -> String? {
    Suggestion.hint(for: word, in: candidates)
  }
}
