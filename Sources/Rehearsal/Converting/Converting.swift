/// Transcripts and scripts made of others, by the commands that every shell has.
package enum Converting {
  /// A file as it is written by the book.
  package static func canonical(
    _ bytes: [UInt8],
    path: String,
    as kind: CanonicalText.Kind
  ) -> CanonicalText {
    CanonicalText(path: path, bytes: bytes, kind: kind, table: ShellCommands.table)
  }

  /// A transcript made of what was copied out of a terminal.
  package static func imported(_ bytes: [UInt8]) -> ImportedTranscript {
    ImportedTranscript(bytes, table: ShellCommands.table)
  }
}
