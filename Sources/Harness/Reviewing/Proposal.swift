/// What a transcript would be if the output that differs were accepted; a second playing has shown that it
/// would hold.
struct Proposal: Equatable {
  /// The file that was played, by the hash of its content.
  let base: UInt64
  /// What changes in the file.
  let edits: [TextEdit]

  /// Plays the transcript as it would be; nil where that goes otherwise than the first playing.
  init?(
    _ transcript: Transcript,
    _ differences: [Replay.Difference],
    _ makePerformer: PerformerFactory,
    slot: ProgressSlot? = nil
  ) {
    let update = TranscriptUpdate(transcript, differences)
    guard let updated = update.updated,
      Replay(updated, makePerformer, slot: slot).failures.isEmpty
    else { return nil }
    self.init(base: FNV1a.hash(transcript.bytes), edits: update.edits)
  }

  init(base: UInt64, edits: [TextEdit]) {
    (self.base, self.edits) = (base, edits)
  }
}

extension Proposal {
  func write(to writer: inout ByteWriter) {
    writer.write(Int(bitPattern: UInt(base)))
    writer.write(edits) { writer, edit in
      writer.write(edit.range.lowerBound)
      writer.write(edit.range.upperBound)
      // A transcript is UTF-8, and so is what was printed.
      writer.write(String(decoding: edit.replacement, as: UTF8.self))
    }
  }

  init?(from reader: inout ByteReader) {
    guard let base = reader.number(), let edits = reader.list({ Self.edit(from: &$0) }) else {
      return nil
    }
    self.init(base: UInt64(UInt(bitPattern: base)), edits: edits)
  }

  private static func edit(from reader: inout ByteReader) -> TextEdit? {
    guard let lower = reader.number(), let upper = reader.number(), lower >= 0, lower <= upper,
      let text = reader.text()
    else { return nil }
    return TextEdit(range: lower..<upper, replacement: Array(text.utf8))
  }
}
