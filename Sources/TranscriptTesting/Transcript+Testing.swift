#if canImport(Testing)
public import Harness
public import Rehearsal
import RehearsalTesting
public import Testing

/// Plays a transcript in a test of Swift Testing, and records each difference as an issue at its line.
extension Transcript {
  /// Plays the transcript in a new session, and records each difference as an issue at its line in the transcript.
  ///
  ///     @Test(arguments: Transcripts.in("Transcripts", program: "SearchShell"))
  ///     func `what was rehearsed holds`(transcript: Transcript) {
  ///       transcript.check(with: SearchScenes.all)
  ///     }
  ///
  /// A warning names each file and code block that looks like a transcript and that `Transcripts.in` ignored, once per process.
  ///
  /// It plays in virtual time on the calling thread, in parallel with other tests. If the process crashes, or if a command
  /// takes 5 seconds of processor time or waiting, standard error names the transcript and the command.
  ///
  /// In a test method of XCTest, a difference is a failure of XCTest.
  ///
  /// - Parameter scenes: the scenes that the command `scene` can set up.
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
        #if canImport(XCTest)
        // XCTest ignores issues of Swift Testing.
        if Test.current == nil { failTestOfXCTest("\(issue.location): \(issue.text)") }
        #endif
      }
    }
  }
}

/// Swift Testing identifies a transcript by its path, so that a single one can run again.
extension Transcript: CustomTestArgumentEncodable {
  /// Encodes the path and the number of the fence in the file.
  public func encodeTestArgument(to encoder: some Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
#endif
