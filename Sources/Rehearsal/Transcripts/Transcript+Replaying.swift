extension Transcript {
  /// Plays the transcript against a session of its own, in this process and on this thread.
  ///
  /// Sessions may be played on several threads at once; each has its own stage, and main-actor code of two
  /// stages may run at the same time. There is no time limit in here, nor isolation from a crash: the
  /// command `test` of a shell has both. Standard error names a command, with its transcript, after 5 seconds
  /// of processor time or waiting, and, once in a process, what looks like a transcript and `Transcripts.in` left out.
  ///
  /// - Parameter scenes: what the command `scene` can set up.
  /// - Throws: `TranscriptMismatch` where anything is not as the transcript says.
  public func replay(with scenes: [Scene]) throws(TranscriptMismatch) {
    for note in takeNotes() { try? FileBytes.write(Array("warning: \(note)\n".utf8), to: 2) }
    let failures = replay {
      WatchedPerformer(SessionPerformer(fixtures: $0, folder: $1, scenes: scenes), of: self)
    }
    guard failures.isEmpty else { throw TranscriptMismatch(failures: failures, program: program) }
  }
}
