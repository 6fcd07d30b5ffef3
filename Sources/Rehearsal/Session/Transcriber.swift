import Harness
import RehearsalBase

/// The syntax of transcripts, as `save` and `record` write it: each command with its output below it.
package enum TranscriptText {
  /// Returns a command in the syntax of a transcript; its continuation lines begin with `. `.
  package static func command(_ text: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    while let last = lines.last, last.allSatisfy({ $0 == " " }), lines.count > 1 {
      lines.removeLast()
    }
    return lines.enumerated().map { ($0 == 0 ? "> " : ". ") + $1 + "\n" }.joined()
  }

  /// Returns a line of expected output that matches only this printed line.
  static func output(_ line: OutputLine) -> String {
    line.isPattern ? "  " + line.text + "\n" : output(line.text)
  }

  /// Returns a line of expected output that matches only this printed line.
  static func output(_ line: String) -> String {
    let expected = LinePattern.line(matchingOnly: Array(line.utf8))
    return "  " + String(decoding: expected, as: UTF8.self) + "\n"
  }
}
