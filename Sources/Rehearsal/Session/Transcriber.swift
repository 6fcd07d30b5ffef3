/// The syntax of transcripts: each command with its output below it.
package enum TranscriptText {
  /// Returns a command in the syntax of a transcript; its continuation lines begin with `. `.
  package static func command(_ text: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    while let last = lines.last, last.allSatisfy({ $0 == " " }), lines.count > 1 {
      lines.removeLast()
    }
    return lines.enumerated().map { ($0 == 0 ? "> " : ". ") + $1 + "\n" }.joined()
  }

  static func output(_ line: String) -> String { "  " + line + "\n" }
}
