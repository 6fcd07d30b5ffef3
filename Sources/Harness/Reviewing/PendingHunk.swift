/// One command whose output differs, as somebody reviews it.
package struct PendingHunk: Sendable, Equatable {
  /// The first line of the file that is not as printed; as all lines here, by its number in the run.
  package let line: Int
  /// The lines of the command and of all that stands below it, up to the next command.
  package let lines: ClosedRange<Int>
  /// The command, without prompts.
  package let command: String
  /// Expected against printed lines.
  package let diff: [TranscriptFailure.DiffLine]
  /// What it is, where only times or the order differ.
  package let reason: String?
  /// Which of the file's commands it is.
  let region: Int
  /// What was added to the lines of the file, since what was accepted above it has moved them.
  let moved: Int
  /// Whether the command fails. To accept its output is to expect the failure.
  package let fails: Bool

  /// The note about a command that fails, before its output is accepted.
  private static let failing = "this command fails: who accepts its output expects the failure"

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
