import ArgumentParser
import Harness
import Rehearsal
import RehearsalBase
import Script

/// The subcommand `review`: steps through pending results in a terminal, or lists them elsewhere.
struct ReviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "review",
    abstract: "Step through differences and accept or reject them.",
    discussion: UsageText.discussion(
      """
      'test' leaves a pending result if output differs. In a terminal, one key accepts or rejects each \
      difference. Without a terminal, the differences are listed. Exit codes: 0 nothing is pending, \
      1 something is pending, 2 wrong arguments or a folder cannot be read.
      """,
      [
        "review": "review this folder and its subfolders",
        "review transcripts/login": "review one folder",
        "review | cat": "list pending output",
      ]
    )
  )

  @Argument(
    help: "Files and folders. (default: the current folder)",
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

/// A list of the pending results, for output that is not a terminal.
struct PendingList {
  let files: [PendingFile]
  let complaints: PendingComplaints
  let colour: Bool
  /// Number of pending results and folders that cannot be reviewed. Their errors have been printed.
  var unusable = 0

  private var json: Bool { complaints.json }

  /// Prints the list.
  ///
  /// - Returns: the number of pending differences.
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
      \(count) pending in \("file".counted(files.count))
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
