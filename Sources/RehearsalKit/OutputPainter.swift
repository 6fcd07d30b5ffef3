#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Colours lines of output for a terminal, and for nothing else.
struct OutputPainter {
  private let isOn: Bool

  static var forStandardOutput: OutputPainter { OutputPainter(isOn: isOn) }

  /// Colour only on a terminal that has any, and never with NO_COLOR (no-color.org).
  static var isOn: Bool {
    let wantsNone = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
    let terminal = getenv("TERM").map { String(cString: $0) } ?? ""
    let hasColour = terminal != "" && terminal != "dumb"
    return StandardStreams.isTerminal(1) && hasColour && !wantsNone
  }

  func paint(_ line: String) -> String {
    guard isOn else { return line }
    if line.hasPrefix("hint:") { return "\u{1B}[36m\(line)\u{1B}[0m" }
    if line.hasPrefix("error:") { return "\u{1B}[1;31merror:\u{1B}[0m" + line.dropFirst(6) }
    return line
  }
}
