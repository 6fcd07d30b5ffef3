import LibC
import Rehearsal
import RehearsalBase
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

  func paint(_ line: OutputLine) -> String {
    guard isOn else { return line.text }
    switch line.label?.kind {
    case .hint: return "\u{1B}[36m\(line.text)\u{1B}[0m"
    case .error:
      let label = line.label?.range ?? 0..<0
      return line.text.prefix(label.lowerBound) + "\u{1B}[1;31m"
        + line.text.prefix(label.upperBound).dropFirst(label.lowerBound) + "\u{1B}[0m"
        + line.text.dropFirst(label.upperBound)
    case .note, nil: return TextTimeline.painted(line.text)
    }
  }

  /// Returns the text of a timeline with its colours.
  func paint(timeline text: String) -> String {
    guard isOn else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { TextTimeline.painted(String($0)) }.joined(separator: "\n")
  }
}

extension StandardStreams {
  /// Whether `TERM` is set and not `dumb`.
  static var isSmartTerminal: Bool {
    let terminal = getenv("TERM").map { String(cString: $0) } ?? ""
    return terminal != "" && terminal != "dumb"
  }
}
