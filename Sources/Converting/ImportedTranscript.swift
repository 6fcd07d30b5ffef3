package import Harness
package import Script

/// A transcript made from a copied terminal session.
///
/// Lines that are neither prompts nor output become comments that begin with `# ?`, so nothing is
/// lost.
package struct ImportedTranscript {
  /// The transcript's text. Without a command, there is nothing to replay.
  package let text: String
  /// The number of commands.
  package let commandCount: Int
  /// The numbers of unrecognized lines in the pasted text, from 1.
  package let unknownLines: [Int]
  /// The numbers of unreadable lines in a terminal recording, from 1.
  package let damagedLines: [Int]

  private let parts: [ImportedPart]

  /// Interprets pasted text, or a terminal recording of `script` or asciinema.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, with any escape sequences.
  ///   - table: the commands, which determine whether a command continues on the next line.
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

  /// Whether the indentation of some output was lost and is a guess.
  package var hasGuessedIndentation: Bool { parts.contains(where: \.hasGuessedIndentation) }

  /// Indents output as a replay printed it, if its indentation was a guess and nothing else
  /// differs.
  ///
  /// - Parameter failures: the failures of a replay.
  /// - Returns: the new transcript, nil if there is no such output.
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

  /// Returns the output of the command that a line of the text belongs to.
  private func output(at line: Int) -> [Int] {
    let command = parts.prefix(line).lastIndex { $0.kind == .command }
    guard let start = command.map({ $0 + 1 }) else { return [] }
    let end = parts[start...].firstIndex { $0.kind == .command || $0.kind == .fixture }
    return parts[start..<(end ?? parts.count)].indices.filter { parts[$0].kind == .output }
  }

  private static func unindented(_ text: String) -> Substring { text.drop { $0 == " " } }
}

/// A line of the future transcript.
struct ImportedPart {
  enum Kind {
    case command, continuation, output, comment, fixture, unknown
  }

  let kind: Kind
  /// The number of the last pasted line that is part of it.
  var number: Int
  var text: String
  /// Its width in the source. A line that fills the terminal may continue on the next line.
  var width: Int
  /// Whether its indentation was lost and is a guess.
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
