import Exploring
import Script

/// The failure of a command, or of a sourced or scheduled command inside it.
package struct SessionFailure {
  let diagnostic: Diagnostic
  /// The text that the diagnostic refers to.
  let text: String
  /// The scheduled command that failed while another command was performed; nil for other failures.
  let laterCommand: String?
  /// The text of the violated run assertion, and the actual value; nil if a command failed.
  let assertion: (text: String, actual: ActualValue)?
  /// Number of run assertions, or scheduled commands, with the same text before the one that
  /// failed.
  let repetition: Int
  /// The sourced file and the line of the command in it, from 1.
  let place: CommandExecution.Source?
  /// The printed diagnostic.
  let lines: [String]
  /// The time since the beginning of the session.
  let time: Duration

  /// The first line of the printed diagnostic.
  var line: String { lines.first ?? "" }

  /// Whether the performed command failed itself, and no run assertion or scheduled command.
  var isOfCommand: Bool { assertion == nil && laterCommand == nil }

  /// Whether a check did not hold.
  var isUnmet: Bool {
    if case .expectationFailed = diagnostic.problem { return true }
    return assertion != nil
  }

  /// Whether a check did not hold or could not be read.
  var isOfAssertion: Bool { isUnmet || CommandText.isAssertion(laterCommand ?? text) }

  /// Returns the failure as a line of JSON. The text is included if it is not the typed command.
  func line(of command: String, number: Int) -> JSONLine {
    let before = Array(text.utf8).prefix(diagnostic.span.lowerBound)
    let newline = UInt8(ascii: "\n")
    let start = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
    let line = before.count { $0 == newline } + (place?.line ?? 1)
    let column = String(decoding: before[start...], as: UTF8.self).count + 1
    return JSONLine.error(
      diagnostic.problem.sentence,
      hint: diagnostic.hint ?? diagnostic.problem.usualHint,
      number: number,
      line: line,
      column: column
    )
    .with("file", place?.path)
    .with("text", text == command ? nil : text)
  }
}
