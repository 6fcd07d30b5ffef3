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

  /// Makes sense of a paste, or of a terminal's recording by `script` or asciinema.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, escape sequences and all.
  ///   - table: the commands that tell whether one goes on in the next line.
  package init(_ bytes: [UInt8], table: CommandTable) {
    let pasted = PastedLines(bytes)
    damagedLines = pasted.damagedLines
    var reader = PasteReader(pasted.lines, table: table)
    reader.read()
    let parts = reader.parts + reader.fixtures
    commandCount = parts.count { $0.kind == .command }
    unknownLines = parts.compactMap { $0.kind == .unknown ? $0.number : nil }
    text = parts.map { $0.line + "\n" }.joined()
  }
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
