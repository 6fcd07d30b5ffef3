extension Transcript {
  /// Plays the transcript in this process and returns what is wrong, in the order of the file.
  ///
  /// A performer that traps or never returns takes the process with it; `TranscriptRunner` isolates.
  package func replay(with makePerformer: PerformerFactory) -> [TranscriptFailure] {
    Replay(self, makePerformer).failures
  }
}
