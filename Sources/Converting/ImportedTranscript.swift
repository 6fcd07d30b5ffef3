package import Harness
package import Script

/// A transcript made of what somebody copied out of a terminal.
///
/// Lines that are neither prompts nor output become comments that begin with `# ?`, so nothing is lost.
package struct ImportedTranscript {
  /// The transcript's text. Without a command there is nothing to replay in it.
  package let text: String
  /// How many commands were found.
  package let commandCount: Int
  /// The lines that made no sense, by their numbers in what was pasted, from 1.
  package let unknownLines: [Int]
  /// The lines of a terminal's recording that cannot be read, by their numbers in it, from 1.
  package let damagedLines: [Int]

  private let parts: [ImportedPart]

  /// Makes sense of a paste, or of a terminal's recording by `script` or asciinema.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, escape sequences and all.
  ///   - table: the commands that tell whether one goes on in the next line.
  package init(_ bytes: [UInt8], table: CommandTable) {
    let pasted = PastedLines(bytes)
    var reader = PasteReader(pasted, table: table)
    reader.read()
    self.init(reader.parts + reader.fixtures, damagedLines: pasted.damagedLines)
  }

  private init(_ parts: [ImportedPart], damagedLines: [Int]) {
    self.parts = parts
    self.damagedLines = damagedLines
    commandCount = parts.count { $0.kind == .command }
    unknownLines = parts.compactMap { $0.kind == .unknown ? $0.number : nil }
    text = parts.map { $0.line + "\n" }.joined()
  }

  /// Whether blanks before some output were lost on the way, and are a guess.
  package var hasGuessedIndentation: Bool { parts.contains(where: \.hasGuessedIndentation) }

  /// Puts blanks before output as a replay has printed them, where they were a guess and nothing else differs.
  ///
  /// - Parameter failures: what a replay has shown.
  /// - Returns: the new transcript; nil where there is no such output.
  package func indented(as failures: [TranscriptFailure]) -> ImportedTranscript? {
    var parts = parts
    for failure in failures where failure.isAcceptable {
      let output = output(at: failure.line)
      let printed = failure.diff.filter { $0.mark != .expected }.map(\.text)
      guard output.contains(where: { parts[$0].hasGuessedIndentation }),
        output.count == printed.count,
        zip(output, printed).allSatisfy({ Self.unindented(parts[$0].text) == Self.unindented($1) })
      else { continue }
      for (index, text) in zip(output, printed) { parts[index].text = text }
    }
    let isNews = zip(parts, self.parts).contains { $0.text != $1.text }
    return isNews ? ImportedTranscript(parts, damagedLines: damagedLines) : nil
  }

  /// The output of the command that a line of the text belongs to.
  private func output(at line: Int) -> [Int] {
    let command = parts.prefix(line).lastIndex { $0.kind == .command }
    guard let start = command.map({ $0 + 1 }) else { return [] }
    let end = parts[start...].firstIndex { $0.kind == .command || $0.kind == .fixture }
    return parts[start..<(end ?? parts.count)].indices.filter { parts[$0].kind == .output }
  }

  private static func unindented(_ text: String) -> Substring { text.drop { $0 == " " } }
}

/// A line of the transcript to be.
struct ImportedPart {
  enum Kind {
    case command, continuation, output, comment, fixture, unknown
  }

  let kind: Kind
  /// The last of its lines in what was pasted.
  var number: Int
  var text: String
  /// How wide it was where it came from: what fills a terminal may go on below.
  var width: Int
  /// Whether the blanks before it were lost, and are a guess.
  var hasGuessedIndentation = false

  var line: String {
    switch kind {
    case .command: "> " + text
    case .continuation: text.isEmpty ? "." : ". " + text
    case .output: "  " + text
    case .comment, .fixture: text
    case .unknown: "# ? " + text
    }
  }
}
