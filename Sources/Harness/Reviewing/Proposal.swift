import RehearsalBase

/// What a transcript would be if the output that differs were accepted; a second playing has shown that it
/// would hold.
struct Proposal: Codable, Equatable {
  /// The file that was played, by the hash of its content.
  let base: UInt64
  /// What changes in the file.
  let edits: [TextEdit]
  /// Hash of the transcript's lines after the change.
  let result: UInt64
  /// Indexes of the transcript's commands that fail and whose output would be accepted.
  let failing: [Int]

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
