import Script

/// What a host needs to know about the text of a command before it is performed.
package enum CommandText {
  /// Whether a bracket or a quote is open, so that the command goes on in the next line.
  package static func isUnfinished(_ text: String) -> Bool {
    Script.isUnfinished(text, table: ShellCommands.table)
  }

  /// Whether there is no command: blanks, or only a comment.
  package static func isBlank(_ text: String) -> Bool {
    if case .nothing? = try? Script.read(text, table: ShellCommands.table) { true } else { false }
  }

  /// Text as a quoted argument.
  package static func quoted(_ text: String) -> String { JSONValue.string(text).text }
}
