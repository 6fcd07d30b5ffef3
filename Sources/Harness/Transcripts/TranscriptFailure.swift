/// One thing that is wrong with a transcript: where, what, and what to do about it.
public struct TranscriptFailure: Sendable, Equatable {
  /// A line of a difference.
  package struct DiffLine: Codable, Sendable, Equatable {
    package enum Mark: String, Codable, CaseIterable, Sendable {
      case same, expected, actual
    }
    package var mark: Mark
    package var text: String

    package init(_ mark: Mark, _ text: String) {
      self.mark = mark
      self.text = text
    }
  }

  /// The file, as its path was given.
  public let path: String
  /// The line in the file, from 1; 0 where the file as a whole is meant.
  public let line: Int
  /// What is wrong.
  package let problem: TranscriptProblem
  /// The command that was performed, without prompts.
  public var command: String?
  /// Expected against actual output of the command, or what it printed before it was cut off.
  package var diff: [DiffLine] = []
  /// More facts, a line each: why a pattern is none, what the process wrote.
  package var notes: [String] = []
  /// What to tell the program to accept it, where it can be: `accept a.transcript:3`, if a pending result
  /// was left, or else `test --update a.transcript`.
  package var acceptance: String?

  package init(path: String, line: Int, problem: TranscriptProblem) {
    self.path = path
    self.line = line
    self.problem = problem
  }

  /// What is wrong, in one sentence.
  public var message: String { problem.sentence }

  /// Whether what was printed can be accepted, unless something else is wrong with the transcript.
  package var isAcceptable: Bool {
    if case .differs = problem { true } else { false }
  }
}

extension TranscriptFailure: CustomStringConvertible {
  /// The whole failure as `rehearse test` prints it, without colour.
  public var description: String { FailureText(colour: false).text(of: self) }
}

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
