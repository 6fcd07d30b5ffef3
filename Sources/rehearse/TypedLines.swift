import Rehearsal

/// Makes commands of lines as they are typed, pasted or read from a pipe.
///
/// A command whose bracket or quote is open goes on in the next line; where a person types, an empty
/// line ends it all the same. Whoever pastes a piece of a transcript gets its commands performed: from a line that begins
/// with `> ` on, the prompts are taken off and indented lines, which are output, are passed over.
struct TypedLines {
  /// What has been typed of a command that is not whole yet; may be empty.
  private(set) var unfinished = ""
  private var isInTranscript = false
  private let isTyped: Bool

  init(isTyped: Bool) {
    self.isTyped = isTyped
  }

  /// Takes a line, and returns the command that it completes.
  mutating func command(endingIn line: String) -> String? {
    guard let line = withoutPrompt(line) else { return nil }
    let text = unfinished.isEmpty ? line : unfinished + "\n" + line
    if CommandText.isUnfinished(text), !isTyped || !line.isEmpty {
      unfinished = text
      return nil
    }
    unfinished = ""
    return text
  }

  /// Forgets a command that is not whole yet.
  mutating func drop() {
    unfinished = ""
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
