/// One line of a transcript: its position in the file's bytes, and its kind.
package struct TranscriptLine: Sendable, Equatable {
  package enum Kind: UInt8, Sendable {
    case blank, comment, command, continuation, output, fixture, stray
  }

  /// The start of the line's text, after the indentation of a Markdown list, if any.
  package var start: Int
  /// The end of the text, before the line feed and a carriage return in front of it.
  package var end: Int
  package var kind: Kind

  /// The text after the prompt, or after the indentation of output.
  package var content: Range<Int> { min(start + 2, end)..<end }
}

/// A command and its expected output.
package struct TranscriptBlock: Sendable, Equatable {
  /// The index, among the transcript's lines, of the line with `> `.
  package var command: Int
  /// The index after the last line of the command.
  package var commandEnd: Int
  /// The index after the block's last line of output; `commandEnd` if there is none.
  package var end: Int
}
