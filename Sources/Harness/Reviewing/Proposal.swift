import RehearsalBase

/// What a transcript would be if the output that differs were accepted; a second playing has shown that it
/// would hold.
struct Proposal: Equatable {
  /// The file that was played, by the hash of its content.
  let base: UInt64
  /// What changes in the file.
  let edits: [TextEdit]
  /// Hash of the transcript's lines after the change.
  let result: UInt64
  /// Indexes of the transcript's commands that fail and whose output would be accepted.
  let failing: [Int]

  /// Plays the transcript as it would be; nil where that goes otherwise than the first playing.
  ///
  /// - Parameters:
  ///   - transcript: the transcript that was played.
  ///   - base: the hash of the transcript's whole file.
  ///   - differences: the differences between expected and actual output.
  ///   - makePerformer: called once.
  ///   - slot: shared memory through which a supervising process reads the progress.
  init?(
    _ transcript: Transcript,
    base: UInt64,
    _ differences: [Replay.Difference],
    _ makePerformer: PerformerFactory,
    slot: ProgressSlot? = nil
  ) {
    let update = TranscriptUpdate(transcript, differences)
    let second = Replay(update.updated, makePerformer, slot: slot)
    guard second.failures.isEmpty else { return nil }
    self.init(update, base: base, failing: second.failing(among: differences))
  }

  /// Takes an update that has been played in its new form, and the commands that failed then and whose output is
  /// accepted.
  init(_ update: TranscriptUpdate, base: UInt64, failing: [FailingCommand]) {
    self.init(
      base: base,
      edits: update.edits,
      result: update.updated.hashOfLines,
      failing: failing.map(\.block)
    )
  }

  init(base: UInt64, edits: [TextEdit], result: UInt64 = 0, failing: [Int] = []) {
    (self.base, self.edits, self.result) = (base, edits, result)
    self.failing = failing
  }
}

extension Transcript {
  /// A hash of its lines, wherever in the file they are.
  var hashOfLines: UInt64 { FNV1a.hash(bytes[part]) }
}

extension Proposal {
  func write(to writer: inout ByteWriter) {
    writer.write(Int(bitPattern: UInt(base)))
    writer.write(Int(bitPattern: UInt(result)))
    writer.write(edits) { writer, edit in
      writer.write(edit.range.lowerBound)
      writer.write(edit.range.upperBound)
      // A transcript is UTF-8, and so is what was printed.
      writer.write(String(decoding: edit.replacement, as: UTF8.self))
    }
    writer.write(failing) { $0.write($1) }
  }

  init?(from reader: inout ByteReader) {
    guard let base = reader.number(), let result = reader.number(),
      let edits = reader.list({ Self.edit(from: &$0) }), let failing = reader.list({ $0.number() })
    else { return nil }
    self.init(
      base: UInt64(UInt(bitPattern: base)),
      edits: edits,
      result: UInt64(UInt(bitPattern: result)),
      failing: failing
    )
  }

  private static func edit(from reader: inout ByteReader) -> TextEdit? {
    guard let lower = reader.number(), let upper = reader.number(), lower >= 0, lower <= upper,
      let text = reader.text()
    else { return nil }
    return TextEdit(range: lower..<upper, replacement: Array(text.utf8))
  }
}
