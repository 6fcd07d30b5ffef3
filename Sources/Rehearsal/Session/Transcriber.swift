/// Writes a session down as a transcript: each command with the output below it.
package enum TranscriptText {
  /// A command as a transcript has it; later lines of it begin with `. `.
  package static func command(_ text: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    while let last = lines.last, last.allSatisfy({ $0 == " " }), lines.count > 1 {
      lines.removeLast()
    }
    return lines.enumerated().map { ($0 == 0 ? "> " : ". ") + $1 + "\n" }.joined()
  }

  static func output(_ line: String) -> String { "  " + line + "\n" }
}

/// A session's commands and output so far, for `save` and for a `record` that begins late.
struct SessionLog {
  private(set) var entries: [Entry] = []

  struct Entry {
    let command: String
    var isComment = false
    var output: [String] = []
  }

  mutating func begin(_ command: String) { entries.append(Entry(command: command)) }

  mutating func note(comment: String) {
    entries.append(Entry(command: comment, isComment: true))
  }

  mutating func add(_ line: String) {
    guard !entries.isEmpty else { return }
    entries[entries.count - 1].output.append(line)
  }

  /// The first entries as a transcript, and how many they are.
  func text(ofFirst count: Int) -> (text: String, commands: Int) {
    let chosen = entries.prefix(count)
    let text = chosen.map { entry in
      (entry.isComment ? entry.command + "\n" : TranscriptText.command(entry.command))
        + entry.output.map(TranscriptText.output).joined()
    }
    return (text.joined(), chosen.count { !$0.isComment })
  }
}
