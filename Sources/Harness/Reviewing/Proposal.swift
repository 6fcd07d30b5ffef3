import RehearsalBase

/// The content of a transcript with its differing output accepted. A second play has shown that it would pass.
struct Proposal: Codable, Equatable {
  /// The hash of the file that was played.
  let base: UInt64
  /// The changes to the file.
  let edits: [TextEdit]
  /// The hash of the transcript's lines after the change.
  let result: UInt64
  /// Indexes of the transcript's commands that fail and whose output would be accepted.
  let failing: [Int]

  /// Creates a proposal from an update that has passed in its new form, and the failing commands whose output is
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
  /// The hash of the transcript's lines, independent of their position in the file.
  var hashOfLines: UInt64 { FNV1a.hash(bytes[part]) }
}
