#if canImport(Testing)
public import Harness
public import Rehearsal
public import Testing

extension Transcript {
  /// Plays the transcript against a session of its own, and records each difference as an issue at its line
  /// in the transcript.
  ///
  ///     @Test(arguments: Transcripts.in("Transcripts", program: "SearchShell"))
  ///     func `what was rehearsed holds`(transcript: Transcript) {
  ///       transcript.check(with: SearchScenes.all)
  ///     }
  ///
  /// A warning names each file and fence that looks like a transcript and that `Transcripts.in` left out, once in a process.
  ///
  /// It plays in virtual time, on the thread that calls it, beside whatever other tests do. When the process
  /// crashes meanwhile, standard error names the transcript and its command; also when a command takes 5 seconds
  /// of processor time or waiting.
  ///
  /// - Parameter scenes: what the command `scene` can set up.
  public func check(with scenes: [Scene]) {
    CrashWords.prepare()
    for note in takeNotes() {
      Issue.record(
        Comment(rawValue: note),
        severity: .warning,
        sourceLocation: TranscriptIssue.location(path, line: 1)
      )
    }
    do throws(TranscriptMismatch) {
      try replay(with: scenes)
    } catch {
      for issue in TranscriptIssue.issues(of: error) {
        Issue.record(Comment(rawValue: issue.text), sourceLocation: issue.location)
      }
    }
  }
}

/// A transcript is known to Swift Testing by its path, so that one of many can be chosen and run again.
extension Transcript: CustomTestArgumentEncodable {
  /// Encodes the path, and which fence of the file it is.
  public func encodeTestArgument(to encoder: some Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
#endif
