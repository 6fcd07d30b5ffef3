/// Replays a transcript with scenes in this process, for a user's own tests; throws the differences.
extension Transcript {
  /// Performs the transcript in its own session, in this process and on this thread.
  ///
  /// Several threads may replay at the same time: each session has its own stage, and main-actor
  /// code of two stages may run at the same time. There is no time limit and no isolation from
  /// crashes; the command `test` of a shell has both. Writes to standard error: a command, with its
  /// transcript, after 5 seconds of processor time or waiting; and, once per process, possible
  /// transcripts that `Transcripts.in` has left out.
  ///
  /// - Parameter scenes: the scenes for the command `scene`.
  /// - Throws: `TranscriptMismatch` if the session differs from the transcript.
  public func replay(with scenes: [Scene]) throws(TranscriptMismatch) {
    for note in takeNotes() { try? FileBytes.write(Array("warning: \(note)\n".utf8), to: 2) }
    let failures = replay {
      WatchedPerformer(SessionPerformer(fixtures: $0, folder: $1, scenes: scenes), of: self)
    }
    guard failures.isEmpty else { throw TranscriptMismatch(failures: failures, program: program) }
  }
}
