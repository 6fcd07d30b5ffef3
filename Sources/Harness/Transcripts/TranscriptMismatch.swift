/// What is not as a transcript says.
public struct TranscriptMismatch: Error, Sendable {
  /// What is wrong, in the order of the file; at least one.
  public let failures: [TranscriptFailure]
  /// The shell that can accept what differs, where one was named.
  package let program: String?

  package init(failures: [TranscriptFailure], program: String?) {
    self.failures = failures
    self.program = program
  }
}

extension TranscriptMismatch: CustomStringConvertible {
  /// The differences as the command `test` of a shell prints them, each with its place first.
  public var description: String {
    failures.map(text).joined(separator: "\n")
  }

  /// One failure as the command `test` of a shell prints it.
  package func text(of failure: TranscriptFailure) -> String {
    FailureText(colour: false, program: program.map { "swift run " + $0 }).text(of: failure)
  }
}
