import Rehearsal
import Script

/// Makes commands of lines as they are typed, pasted or read from a pipe.
///
/// A command whose bracket or quote is open goes on in the next line; where a person types, an empty
/// line ends it all the same. Whoever pastes a piece of a transcript gets its commands performed: from a line that begins
/// with `> ` on, the prompts are taken off and indented lines, which are output, are passed over.
struct TypedLines {
  /// What has been typed of a command that is not whole yet.
  private var open = CommandText.open
  private var isInTranscript = false
  /// The latest command.
  private var command = ""
  private let isTyped: Bool

  init(isTyped: Bool) {
    self.isTyped = isTyped
  }

  /// The lines of a command that is not whole yet; empty between commands.
  var unfinished: String { open.text }

  /// Takes a line, and returns the command that it completes.
  mutating func command(endingIn line: String) -> String? {
    guard let line = withoutPrompt(line) else { return nil }
    if open.add(line), !isTyped || !line.isEmpty { return nil }
    defer { open = CommandText.open }
    command = open.text
    return command
  }

  /// Whether a line is output of a transcript with an indented prompt.
  func isIndentedPrompt(_ line: String) -> Bool {
    unfinished.isEmpty && isInTranscript && line.hasPrefix("  ")
      && IndentedPrompt.isIn(line, of: command)
  }

  /// Takes the end of the input for the end of a command that is not whole yet, as an empty line is; nil where none is.
  mutating func commandAtEnd() -> String? {
    if unfinished.isEmpty { return nil }
    defer { open = CommandText.open }
    return open.text
  }

  /// Whether a line of something pasted is no command: output of a transcript, or a fence around one.
  func isBesideCommands(_ line: String) -> Bool {
    unfinished.isEmpty && (isInTranscript && line.hasPrefix("  ") || line.hasPrefix("```"))
  }

  /// Forgets a command that is not whole yet.
  mutating func drop() {
    open = CommandText.open
    isInTranscript = false
  }

  /// The line as somebody would have typed it; nil where it is output.
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
