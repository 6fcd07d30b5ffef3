import ArgumentParser
import Harness
import Rehearsal
import RehearsalBase
import Script

struct ReviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "review",
    abstract: "Step through output that differs, and accept or reject it.",
    discussion: UsageText.discussion(
      """
      'test' leaves a pending result where output differs. In a terminal, one key decides about each; \
      elsewhere what is pending is listed. Exit codes: 0 nothing is pending any more, 1 something is, \
      2 called wrongly, or a folder cannot be read.
      """,
      [
        "review": "everything that is pending in this folder and below it",
        "review transcripts/login": "what is pending there",
        "review | cat": "list it",
      ]
    )
  )

  @Argument(
    help: "Files and folders; without any, the current folder.",
    completion: .file(extensions: ["transcript", "md"])
  )
  var paths: [String] = []

  @OptionGroup var pending: PendingOption

  @OptionGroup var colour: ColourFlag

  @OptionGroup var json: JSONFlag

  func run() throws {
    if json.isOn { StandardStreams.write(JSONFlag.begin) }
    let complaints = PendingComplaints(json: json.isOn, place: pending.place)
    let selection = PendingSelection(paths.isEmpty ? ["."] : paths, in: pending.place)
    let missing = selection.missing.filter { $0.reason != PendingSelection.Missing.nothingPending }
    for missing in missing {
      complaints.say("\(FailureText.quoted(missing.argument)): \(missing.reason)")
    }
    guard missing.isEmpty else { throw ProgramExit.usage.asError }
    let found = PendingFiles(selection.entries)
    for (path, problem) in selection.unreadable { complaints.say(path, .unreadable(problem)) }
    for (entry, problem) in found.problems { complaints.say(entry.path, problem) }
    let colour = OutputPainter(colour.settings.colour).isOn
    var left = found.problems.count
    if !json.isOn, !found.files.isEmpty, ReviewTerminal.isPossible {
      var terminal = ReviewTerminal(Review(found.files), colour: colour, complaints)
      left += terminal.run()
    } else {
      var list = PendingList(files: found.files, complaints: complaints, colour: colour)
      list.unusable = found.problems.count + selection.unreadable.count
      left += list.write()
    }
    if !selection.unreadable.isEmpty { throw ProgramExit.usage.asError }
    throw (left == 0 ? ProgramExit.success : .differences).asError
  }
}

/// What is pending, for whoever does not sit at a terminal.
struct PendingList {
  let files: [PendingFile]
  let complaints: PendingComplaints
  let colour: Bool
  /// How many pending results and folders cannot be reviewed; what is wrong with them has been said.
  var unusable = 0

  private var json: Bool { complaints.json }

  /// - Returns: how many are pending.
  func write() -> Int {
    let count = files.reduce(0) { $0 + $1.hunks.count }
    let failures = FailureText(colour: colour)
    for file in files {
      for hunk in file.hunks {
        StandardStreams.write(
          json ? line(file, hunk).text : failures.text(of: failure(file, hunk)) + "\n"
        )
      }
    }
    if json {
      let ok = count == 0 && unusable == 0
      StandardStreams.write(JSONLine("end").with("ok", ok).with("pending", count).text)
    } else if count > 0 {
      StandardStreams.write(summary(count))
    } else if unusable == 0 {
      complaints.sayNothingIsPending()
    }
    return count
  }

  private func summary(_ count: Int) -> String {
    let name = ThisProgram.current.name
    return """
      \(count) pending in \(files.count) \(files.count == 1 ? "file" : "files")
      hint: '\(name) accept' or '\(name) reject' with a file, FILE:LINE, a folder or '--all' decides\n
      """
  }

  private func failure(_ file: PendingFile, _ hunk: PendingHunk) -> TranscriptFailure {
    var failure = TranscriptFailure(path: file.path, line: hunk.line, problem: .differs(after: nil))
    failure.command = hunk.command
    failure.diff = hunk.diff
    failure.notes = hunk.notes
    failure.acceptance = complaints.place.acceptance(of: file.path, line: hunk.line)
    return failure
  }

  private func line(_ file: PendingFile, _ hunk: PendingHunk) -> JSONLine {
    JSONLine("pending").with("path", file.path).with("line", hunk.line)
      .with("first", hunk.lines.lowerBound).with("last", hunk.lines.upperBound)
      .with("command", hunk.command).with("diff", hunk.diff)
      .with("reason", hunk.reason).with("fails", hunk.fails ? JSONValue.bool(true) : nil)
  }
}
