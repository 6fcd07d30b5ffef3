import Harness
import RehearsalBase
import Script

/// One transcript in canonical form: blank lines, blanks at line ends, line feeds, and commands in canonical spelling.
/// It has at most one blank line between parts, no blanks at line ends, and a line feed at the end of each line.
struct TranscriptSpelling {
  /// The byte range of the transcript's lines in the file.
  let part: Range<Int>
  /// The replacement for that range.
  private(set) var bytes: [UInt8] = []

  private let transcript: Transcript
  private let lineEnd: [UInt8]

  /// Formats a transcript.
  ///
  /// - Precondition: the transcript has lines, and none of them is stray.
  init(_ transcript: Transcript, table: CommandTable) {
    self.transcript = transcript
    part = Self.part(of: transcript)
    lineEnd = Self.lineEnd(of: transcript)
    let commands = Self.spelled(transcript, table)
    var isBlank = false
    for (index, line) in transcript.lines.enumerated() {
      if line.kind == .fixture {
        if isBlank { bytes += lineEnd }
        bytes += transcript.bytes[Self.start(of: line, transcript)..<part.upperBound]
        return
      }
      if line.kind == .blank {
        isBlank = !bytes.isEmpty
        continue
      }
      if isBlank { bytes += lineEnd }
      isBlank = false
      add(commands[index] ?? text(line))
    }
  }

  private mutating func add(_ text: [UInt8]) {
    bytes += Array(repeating: .space, count: transcript.indentation) + text + lineEnd
  }

  private func text(_ line: TranscriptLine) -> [UInt8] {
    let text = transcript.bytes[line.start..<line.end]
    return line.kind == .comment ? Array(Spelling.comment(text).utf8) : Array(text)
  }

  // MARK: Commands

  /// Returns the lines of commands, with their prompts, by index.
  private static func spelled(_ transcript: Transcript, _ table: CommandTable) -> [Int: [UInt8]] {
    var lines: [Int: [UInt8]] = [:]
    for block in transcript.blocks {
      let spelling = Spelling(of: transcript.command(block), table: table)
      let mayBeShown =
        mayHide(spelling, block, in: transcript)
        || spelling.replaced.contains { isExpected($0, not: spelling.text, in: transcript) }
      let text = mayBeShown ? transcript.command(block) : spelling.text
      let parts = text.utf8.split(separator: .lineFeed, omittingEmptySubsequences: false)
      for (offset, part) in parts.enumerated() {
        let prompt = offset == 0 ? UInt8(ascii: ">") : UInt8(ascii: ".")
        lines[block.command + offset] = part.isEmpty ? [prompt] : [prompt, .space] + part
      }
    }
    return lines
  }

  /// Returns whether a pattern or `...` may match a line that repeats the command: the expectation
  /// has the line's beginning, or a mark below one of its columns.
  private static func mayHide(
    _ spelling: Spelling,
    _ block: TranscriptBlock,
    in transcript: Transcript
  ) -> Bool {
    guard !spelling.replaced.isEmpty else { return false }
    let lines = Expectation(transcript.expected(block).map(\.text)).lines
    let patterns = lines.filter { $0.meaning != .literal }
    guard !patterns.isEmpty else { return false }
    if lines.contains(where: { isMark($0.text) }) { return true }
    let command = transcript.command(block)
    return patterns.contains { line in
      distinguishes(line, command, from: spelling.text)
        || distinguishes(line, command.escapingControls, from: spelling.text.escapingControls)
    }
  }

  /// Returns whether a pattern matches a line with the command, but not a line with another
  /// spelling.
  private static func distinguishes(
    _ line: Expectation.Line,
    _ command: String,
    from other: String
  ) -> Bool {
    let (command, spelt) = (Array(command.utf8), Array(other.utf8))
    let blanks = Array("  ".utf8)
    if case .pattern(let pattern) = line.meaning {
      var captures = Captures()
      if pattern.matches(blanks + command, &captures), !pattern.matches(blanks + spelt, &captures) {
        return true
      }
    }
    let text = line.text.drop(while: \.isBlank)
    let marks = ["[..]", "{{"].compactMap { text.firstRange(of: $0.utf8)?.lowerBound }
    let beginning = text[..<(marks.min() ?? text.endIndex)]
    return command.contains(beginning) && !spelt.contains(beginning)
  }

  /// Returns whether a line marks a mistake in the line above it.
  private static func isMark(_ text: [UInt8]) -> Bool {
    text.contains(UInt8(ascii: "^"))
      && text.allSatisfy { $0.isBlank || $0 == UInt8(ascii: "^") || $0 == UInt8(ascii: "~") }
  }

  /// Returns whether an output line repeats a text, directly or with control characters spelled
  /// out. A text that ends in a blank must be at the line's end or before another line of the
  /// command. A cut beginning also counts, if another command begins differently.
  private static func isExpected(
    _ text: String,
    not other: String,
    in transcript: Transcript
  ) -> Bool {
    let spellings = [text, text.escapingControls].map { Array($0.utf8) }
    let other = Array(other.utf8)
    return transcript.lines.contains { line in
      guard line.kind == .output else { return false }
      let output = transcript.bytes[line.content]
      return spellings.contains { repeats(output, $0) || hasCut(output, $0, not: other) }
    }
  }

  private static func repeats(_ output: ArraySlice<UInt8>, _ text: [UInt8]) -> Bool {
    guard text.last?.isBlank == true else { return output.contains(text) }
    return output.suffix(text.count).elementsEqual(text)
      || output.contains(text + Array("\n".escapingControls.utf8))
  }

  /// The mark of a cut text, and the minimum and maximum number of bytes shown of a text.
  private static let (cut, leastShown, mostShown) = (Array("…".utf8), 8, 1_000)

  /// Returns whether a line has the beginning of a text with a mark that it was cut.
  private static func hasCut(
    _ output: ArraySlice<UInt8>,
    _ text: [UInt8],
    not other: [UInt8]
  ) -> Bool {
    output.ranges(of: cut).contains { range in
      let shown = output[..<range.lowerBound]
      let most = min(shown.count, text.count, mostShown)
      return most >= leastShown
        && (leastShown...most).contains {
          shown.suffix($0).elementsEqual(text.prefix($0)) && !other.contains(shown.suffix($0))
        }
    }
  }

  // MARK: The file

  private static func part(of transcript: Transcript) -> Range<Int> {
    guard let first = transcript.lines.first, let last = transcript.lines.last else { return 0..<0 }
    let end =
      (last.end..<transcript.bytes.count).first(where: transcript.endsLine)
      ?? transcript.bytes.count - 1
    let isFile = transcript.fence == 0
    return (isFile ? 0 : start(of: first, transcript))..<end + 1
  }

  private static func start(of line: TranscriptLine, _ transcript: Transcript) -> Int {
    (0..<line.start).last(where: transcript.endsLine).map { $0 + 1 } ?? 0
  }

  /// Returns a line feed, or in Markdown the file's own line end.
  private static func lineEnd(of transcript: Transcript) -> [UInt8] {
    transcript.fence > 0 ? transcript.lineEnd : [.lineFeed]
  }
}
