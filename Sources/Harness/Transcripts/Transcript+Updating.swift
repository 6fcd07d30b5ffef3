extension Transcript {
  /// Plays the transcript in this process, and says what an update would make of its file.
  ///
  /// - Returns: what is wrong, and the whole file with all that was printed accepted.
  package func update(
    with makePerformer: PerformerFactory
  ) -> (failures: [TranscriptFailure], bytes: [UInt8]) {
    let replay = Replay(self, makePerformer)
    return (replay.failures, TranscriptUpdate(self, replay.differences).bytes)
  }
}
