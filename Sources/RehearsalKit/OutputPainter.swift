import LibC
import Rehearsal
import Timelines

/// A painter that colours lines of output, for a terminal or if the option asks for it.
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

  /// Returns text with each line coloured.
  func paint(lines text: String) -> String {
    guard isOn else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { paint(String($0)) }.joined(separator: "\n")
  }
}

extension StandardStreams {
  /// Whether `TERM` is set and not `dumb`.
  static var isSmartTerminal: Bool {
    let terminal = getenv("TERM").map { String(cString: $0) } ?? ""
    return terminal != "" && terminal != "dumb"
  }
}
