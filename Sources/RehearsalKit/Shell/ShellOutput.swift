import Rehearsal
import RehearsalBase
import Script

/// The output of the shell: prints lines or JSON, and passes long output to the pager. Confined to the thread that
/// performs its commands.
final class ShellOutput: OutputSink, @unchecked Sendable {
  /// The terminal.
  let screen: ShellScreen
  /// The JSON output; nil for text.
  private let report: SessionReport?
  private let isOnTerminal = StandardStreams.isTerminal(1)
  private var painter = OutputPainter(.never)
  /// Lines for the pager; nil if lines are printed at once.
  private var held: [String]?

  /// Creates text output, or JSON output, whose first line is printed at once.
  init(json: Bool) {
    screen = ShellScreen(isForPeople: !json)
    report = json ? SessionReport { StandardStreams.write($0) } : nil
    if json { StandardStreams.write(JSONFlag.begin) }
  }

  var isJSON: Bool { report != nil }

  /// Applies options to later output.
  func follow(_ settings: Settings) { painter = OutputPainter(settings.colour) }

  /// Prints a command before it is performed, after the options that the session records.
  func echo(_ command: String, of host: SessionHost) {
    for setting in host.writeOptions(before: command) {
      if let report { report.note(setting, host) } else { StandardStreams.echo(setting) }
    }
    if let report { report.begin(command) } else { StandardStreams.echo(command) }
  }

  /// Ends the output of a command. Then prints what waits, and where, if that explains the output.
  func end(_ host: SessionHost) {
    if let report { report.end(host) } else { explain(host.reasons(onlyNew: true)) }
    follow(host.settings)
  }

  /// Prints lines that are not part of the transcript. Standard output may be a file that becomes a transcript.
  private func explain(_ reasons: [String]) {
    guard let heading = reasons.first else { return }
    let lines = [painter.paint(.note(heading))] + reasons.dropFirst().map { "| " + $0 }
    let text = lines.map { $0 + "\n" }.joined()
    if isOnTerminal { screen.write(text) } else { StandardStreams.write(text, to: .error) }
  }

  nonisolated func print(_ line: OutputLine) {
    if let report { return report.output(line.text) }
    let line = "  " + painter.paint(fitted(line)) + "\n"
    if held == nil { screen.write(line) } else { held?.append(line) }
  }

  /// Wraps an error or hint between words, because a terminal breaks lines anywhere.
  private func fitted(_ line: OutputLine) -> OutputLine {
    guard isOnTerminal else { return line }
    switch line.label?.kind {
    case .error, .hint:
      let lines = HelpText.wrapped(line.text, indent: 0, width: StandardStreams.columns - 4)
      return OutputLine(lines.joined(separator: "\n    "), label: line.label)
    case .note, nil: return line
    }
  }

  /// Prints an error about a line of the input.
  func complain(_ sentence: String, hint: String?, line: Int) {
    if let report { return report.complain(sentence, hint: hint, line: line) }
    StandardStreams.write("  error: \(sentence)\n")
    if let hint { StandardStreams.write("  hint: \(hint)\n") }
  }

  /// Prints an error about the whole input to standard error, so that it does not look like output of a command.
  func complain(_ sentence: String, hint: String?) {
    if isJSON { return StandardStreams.write(JSONLine.error(sentence, hint: hint).text) }
    StandardStreams.complain("error: \(sentence)" + (hint.map { "\nhint: \($0)" } ?? ""))
  }

  /// Prints a note about the whole input to standard error.
  func note(_ text: String) {
    if isJSON { return StandardStreams.write(JSONLine("note").with("text", text).text) }
    StandardStreams.complain("note: " + text)
  }

  /// Prints the checks and commands that were not performed before the session ended, and notes about checks that may have
  /// checked nothing.
  ///
  /// - Returns: whether any was not performed.
  func complain(ofUnperformedIn host: SessionHost) -> Bool {
    host.notes.forEach(note)
    let unperformed = host.unperformed
    for one in unperformed { complain(one.sentence, hint: one.hint) }
    return !unperformed.isEmpty
  }

  /// Prints errors about the sources of options to standard error.
  func complain(_ lines: [String]) {
    for line in lines { StandardStreams.write(line + "\n", to: .error) }
  }

  /// Holds lines until `release`.
  func hold() { held = [] }

  /// Prints the held lines, with a pager if they are longer than two screens.
  func release() {
    let lines = held ?? []
    held = nil
    if Pager.isNeeded(for: lines) {
      Pager.show(lines)
    } else {
      StandardStreams.write(lines.joined())
    }
  }
}
