/// One problem of a transcript: place, problem, and how to solve it.
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

  /// The file's path as it was given.
  public let path: String
  /// The line number in the file, from 1; 0 for the whole file.
  public let line: Int
  /// The problem.
  package let problem: TranscriptProblem
  /// The command that was performed, without prompts.
  public var command: String?
  /// The difference between expected and actual output, or the output before the command was interrupted.
  package var diff: [DiffLine] = []
  /// More facts: why a pattern is invalid, what the process wrote, what waits. A fact may have several lines.
  package var notes: [String] = []
  /// The command that accepts the output, if that is possible: `accept a.transcript:3` if there is a pending result,
  /// otherwise `test --update a.transcript`.
  package var acceptance: String?

  package init(path: String, line: Int, problem: TranscriptProblem) {
    self.path = path
    self.line = line
    self.problem = problem
  }

  /// The problem in one sentence.
  public var message: String { problem.sentence }

  /// Whether the printed output can be accepted, unless the transcript has other problems.
  package var isAcceptable: Bool {
    if case .differs = problem { true } else { false }
  }
}

extension TranscriptFailure: CustomStringConvertible {
  /// The whole failure as `rehearse test` prints it, without colour.
  public var description: String { FailureText(colour: false).text(of: self) }
}

/// The failures of a replayed transcript.
public struct TranscriptMismatch: Error, Sendable {
  /// The failures, in the order of the file; at least one.
  public let failures: [TranscriptFailure]
  /// The shell that can accept differences, if one was named.
  package let program: String?

  package init(failures: [TranscriptFailure], program: String?) {
    self.failures = failures
    self.program = program
  }
}

extension TranscriptMismatch: CustomStringConvertible {
  /// The failures as the `test` command of a shell prints them, each with its place first.
  public var description: String {
    failures.map(text).joined(separator: "\n")
  }

  /// Renders one failure as the `test` command of a shell prints it.
  package func text(of failure: TranscriptFailure) -> String {
    FailureText(colour: false, program: program.map { "swift run " + $0 }).text(of: failure)
  }
}
