import Rehearsal
import Script

/// A reader that joins typed, pasted or piped lines to commands.
///
/// A command whose bracket or quote is open continues in the next line; at a prompt, an empty line ends it. A pasted
/// transcript also works: after a line that begins with `> `, prompts are removed and indented lines, which are output,
/// are skipped.
struct TypedLines {
  /// The lines of an incomplete command.
  private var open = CommandText.open
  private var isInTranscript = false
  /// The latest command.
  private var command = ""
  private let isTyped: Bool

  init(isTyped: Bool) {
    self.isTyped = isTyped
  }

  /// The lines of an incomplete command; empty between commands.
  var unfinished: String { open.text }

  /// Adds a line, and returns the command that it completes.
  mutating func command(endingIn line: String) -> String? {
    guard let line = withoutPrompt(line) else { return nil }
    if open.add(line), !isTyped || !line.isEmpty { return nil }
    defer { open = CommandText.open }
    command = open.text
    return command
  }

  /// Returns whether a line is output of a transcript with an indented prompt.
  func isIndentedPrompt(_ line: String) -> Bool {
    unfinished.isEmpty && isInTranscript && line.hasPrefix("  ")
      && IndentedPrompt.isIn(line, of: command)
  }

  /// Returns the incomplete command at the end of the input; nil if there is none.
  mutating func commandAtEnd() -> String? {
    if unfinished.isEmpty { return nil }
    defer { open = CommandText.open }
    return open.text
  }

  /// Returns whether a pasted line is not a command: output of a transcript, or a code fence.
  func isBesideCommands(_ line: String) -> Bool {
    unfinished.isEmpty && (isInTranscript && line.hasPrefix("  ") || line.hasPrefix("```"))
  }

  /// Drops an incomplete command.
  mutating func drop() {
    open = CommandText.open
    isInTranscript = false
  }

  /// Returns the line without a prompt; nil if it is output.
  private mutating func withoutPrompt(_ line: String) -> String? {
    if !unfinished.isEmpty {
      return isInTranscript && line.hasPrefix(". ") ? String(line.dropFirst(2)) : line
    }
    if line.hasPrefix("> ") {
      isInTranscript = true
      return String(line.dropFirst(2))
    }
    if isInTranscript, line.hasPrefix("  ") { return nil }
    isInTranscript = false
    return line
  }
}
