/// One command whose output differs, for a review.
package struct PendingHunk: Sendable, Equatable {
  /// The first different line of the file. All line numbers here are those of the run.
  package let line: Int
  /// The lines from the command to the next command.
  package let lines: ClosedRange<Int>
  /// The command, without prompts.
  package let command: String
  /// The difference between expected and printed lines.
  package let diff: [TranscriptFailure.DiffLine]
  /// The kind of difference, if only times or the order differ.
  package let reason: String?
  /// The index of the command in the file.
  let region: Int
  /// The number of lines by which accepted output above has moved the hunk.
  let moved: Int
  /// Whether the command fails. Accepting its output makes the failure an expected one.
  package let fails: Bool

  /// The note about a command that fails, before its output is accepted.
  private static let failing =
    "this command fails: if you accept its output, the failure is expected"

  /// Its notes, one line each.
  package var notes: [String] {
    [reason, fails ? Self.failing : nil].compactMap(\.self)
  }

  /// Returns a line about the command, if it fails and its output was accepted.
  package func acceptedFailure(in path: String) -> String? {
    fails ? "\(FailureText.quoted(path)):\(line): expects a failure" : nil
  }

  init(
    region: Int,
    old: OutputRegions.Region,
    new: OutputRegions.Region,
    moved: Int,
    fails: Bool = false
  ) {
    (self.region, self.moved, self.fails) = (region, moved, fails)
    lines = old.lines.lowerBound + moved...old.lines.upperBound + moved
    command = old.command
    let expectation = Expectation(literal: old.output.map(\.text))
    let output = new.output.map(\.text)
    let alignment = Alignment(expectation, output, [:])
    diff = alignment.diff(expectation, output)
    reason = DifferenceReason(old.output.map(\.text), output, [:])?.sentence
    let index = alignment.firstChange
    line = (index < 0 ? old.lines.lowerBound : old.output[index].line) + moved
  }
}
