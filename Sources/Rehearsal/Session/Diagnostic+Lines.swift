package import RehearsalBase
package import Script
import Timelines

/// Writes a diagnostic as the shell prints it: the error, the marked part of the line, the hint.
extension Diagnostic {
  /// Returns the diagnostic as the shell prints it: problem, source line, hint. `place` is the file
  /// and line of a command that comes from a file.
  package func lines(in text: String, place: String? = nil) -> [OutputLine] {
    var lines = [OutputLine.error(problem.sentence, at: place?.escapingControls)]
    lines += excerpt(of: Array(text.utf8)).map { OutputLine($0) }
    if let hint = hint ?? problem.usualHint { lines.append(.hint(hint)) }
    return lines
  }

  /// Number of columns that are shown on either side of the place.
  private static let context = 60

  private func excerpt(of bytes: [UInt8]) -> [String] {
    guard !bytes.isEmpty, span.lowerBound <= bytes.count, !span.isEmpty || span.lowerBound > 0
    else {
      return []
    }
    let newline = UInt8(ascii: "\n")
    let place = span.lowerBound
    let lineStart = bytes[..<place].lastIndex(of: newline).map { $0 + 1 } ?? 0
    let lineEnd = bytes[place...].firstIndex(of: newline) ?? bytes.count
    let start = max(lineStart, place - Self.context).roundedToScalar(in: bytes)
    let end = min(lineEnd, place + Self.context).roundedToScalar(in: bytes)
    let before = String(decoding: bytes[start..<place], as: UTF8.self).escapingControls
    let marked = String(
      decoding: bytes[place..<min(max(span.upperBound, place), end)],
      as: UTF8.self
    ).escapingControls
    let after = String(decoding: bytes[min(max(span.upperBound, place), end)..<end], as: UTF8.self)
    let lead = start > lineStart ? "…" : ""
    let tail = end < lineEnd ? "…" : ""
    let mark = "^" + String(repeating: "~", count: max(0, marked.widthInColumns - 1))
    return [
      "  " + lead + before + marked + after.escapingControls + tail,
      "  " + String(repeating: " ", count: (lead + before).widthInColumns) + mark,
    ]
  }
}

extension Int {
  /// Returns the start of the scalar that contains this byte.
  fileprivate func roundedToScalar(in bytes: [UInt8]) -> Int {
    var place = self
    while place > 0, place < bytes.count, bytes[place] & 0xC0 == 0x80 { place -= 1 }
    return place
  }
}
