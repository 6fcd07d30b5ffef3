/// One line of a transcript: where it lies in the file's bytes, and what it is.
package struct TranscriptLine: Sendable, Equatable {
  package enum Kind: UInt8, Sendable {
    case blank, comment, command, continuation, output, fixture, stray
  }

  /// Where the line's own text begins: after the indentation of a Markdown list, if any.
  package var start: Int
  /// Where the text ends, before the line feed and a carriage return in front of it.
  package var end: Int
  package var kind: Kind

  /// The text that counts: after the prompt, or after the indentation of output.
  package var content: Range<Int> { min(start + 2, end)..<end }
}

/// A command and the output expected below it.
package struct TranscriptBlock: Sendable, Equatable {
  /// The index, among the transcript's lines, of the line with `> `.
  package var command: Int
  /// The index after the last line of the command.
  package var commandEnd: Int
  /// The index after the block's last line of output, or `commandEnd` where there is none.
  package var end: Int
}
