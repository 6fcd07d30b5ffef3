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

  init(region: Int, old: OutputRegions.Region, new: OutputRegions.Region, moved: Int) {
    (self.region, self.moved) = (region, moved)
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
