import Rehearsal

/// Where the lines of a session go. Confined to the thread that performs its commands.
final class ShellOutput {
  private var painter = OutputPainter(.never)
  /// The lines of a command that a pager may show; nil where lines are printed as they come.
  private var held: [String]?

  /// Prints as the options say from here on.
  func follow(_ settings: Settings) { painter = OutputPainter(settings.colour) }

  func print(_ line: String) {
    let line = "  " + painter.paint(line) + "\n"
    if held == nil { StandardStreams.write(line) } else { held?.append(line) }
  }

  /// Says on standard error what is wrong with where options come from.
  func complain(_ lines: [String]) {
    for line in lines { StandardStreams.write(line + "\n", to: .error) }
  }

  /// Holds lines back, until `release`.
  func hold() { held = [] }

  /// Prints what was held back, by a pager if it is longer than the screen.
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
