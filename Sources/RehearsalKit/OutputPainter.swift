import LibC
import Rehearsal
import Timelines

/// Colours lines of output for a terminal, unless somebody wants them elsewhere as well.
struct OutputPainter {
  let isOn: Bool

  init(_ colouring: Settings.Colouring) {
    isOn =
      switch colouring {
      case .always: true
      case .never: false
      case .auto: StandardStreams.isTerminal(1) && StandardStreams.isSmartTerminal
      }
  }

  func paint(_ line: String) -> String {
    guard isOn else { return line }
    if line.hasPrefix("hint:") { return "\u{1B}[36m\(line)\u{1B}[0m" }
    if line.hasPrefix("error:") { return "\u{1B}[1;31merror:\u{1B}[0m" + line.dropFirst(6) }
    return TextTimeline.painted(line)
  }

  /// Paints line by line.
  func paint(lines text: String) -> String {
    guard isOn else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { paint(String($0)) }.joined(separator: "\n")
  }
}

extension StandardStreams {
  /// Whether the terminal, if there is one, does more than print letters.
  static var isSmartTerminal: Bool {
    let terminal = getenv("TERM").map { String(cString: $0) } ?? ""
    return terminal != "" && terminal != "dumb"
  }
}
