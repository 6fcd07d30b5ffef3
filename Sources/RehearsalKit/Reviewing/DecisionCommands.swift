import ArgumentParser
import Harness
import Rehearsal
import RehearsalBase
import Script

/// The subcommands `accept` and `reject`: the choice of pending results, and the printed line for each file.
struct AcceptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "accept",
    abstract: "Accept differences: write the new output into the transcript.",
    discussion: UsageText.discussion(
      """
      It uses the pending results that 'test' has left, and replays nothing. Exit codes: 0 done, 1 a file has \
      changed since the test, 2 wrong arguments or a file cannot be read, 3 a file cannot be written.
      """,
      [
        "accept transcripts/login.transcript:12":
          "accept the output of the command at line 12",
        "accept transcripts/login": "accept all pending output in a folder",
        "accept --all": "accept all pending output in this folder and its subfolders",
      ]
    )
  )

  @OptionGroup var choice: PendingChoice

  @Flag(help: "Accept even if CI is set in the environment.")
  var force = false

  @OptionGroup var json: JSONFlag

  func run() throws {
    if json.isOn { StandardStreams.write(JSONFlag.begin) }
    if TranscriptRunner.Options.environmentIsCI, !force {
      PendingComplaints(json: json.isOn, place: choice.pending.place).say(
        "nothing is accepted, because CI is set in the environment",
        hint: "accept on your machine and commit the result, or add '--force'"
      )
      throw ProgramExit.usage.asError
    }
    throw choice.decide(.accept, json: json.isOn).asError
  }
}

struct RejectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "reject",
    abstract: "Reject differences: delete the new output and keep the transcript.",
    discussion: UsageText.discussion(
      "A pending result is also removed if it is damaged, or if its transcript is gone or has changed.",
      [
        "reject transcripts/login.transcript:12":
          "reject the output of the command at line 12",
        "reject --all": "reject all pending output in this folder and its subfolders",
      ]
    )
  )

  @OptionGroup var choice: PendingChoice

  @OptionGroup var json: JSONFlag

  func run() throws {
    if json.isOn { StandardStreams.write(JSONFlag.begin) }
    throw choice.decide(.reject, json: json.isOn).asError
  }
}

/// The pending results to accept or reject.
struct PendingChoice: ParsableArguments {
  @Argument(
    help: "Files and folders, or PATH:LINE for the command at that line.",
    completion: .file(extensions: ["transcript", "md"])
  )
  var paths: [String] = []

  @Flag(help: "All pending output in this folder and its subfolders.")
  var all = false

  @OptionGroup var pending: PendingOption

  func validate() throws {
    if paths.isEmpty, !all, pending.pending == nil {
      throw ValidationError("name a file, FILE:LINE or a folder, or add '--all'")
    }
    if !paths.isEmpty, all {
      throw ValidationError("'--all' excludes paths; remove it or the paths")
    }
  }

  /// Accepts or rejects the pending results, and prints a line for each file.
  func decide(_ decision: PendingDecision, json: Bool) -> ProgramExit {
    let complaints = PendingComplaints(json: json, place: pending.place)
    let selection = PendingSelection(paths.isEmpty ? ["."] : paths, in: pending.place)
    for missing in selection.missing {
      complaints.say(
        "\(FailureText.quoted(missing.argument)): \(missing.reason)",
        hint: "'\(ThisProgram.current.name) review' lists pending results"
      )
    }
    guard selection.missing.isEmpty else { return .usage }
    var works: [PendingWork] = []
    var problems = selection.unreadable.map { folder in
      (path: folder.path, problem: PendingProblem.unreadable(folder.problem))
    }
    var isWrong = false
    for entry in selection.entries {
      do {
        let work = try PendingWork(entry, decision)
        for line in work.unknown {
          complaints.say(
            "\(FailureText.quoted("\(entry.path):\(line)")): nothing is pending at this line",
            hint: "it is at \(work.places)"
          )
        }
        isWrong = isWrong || !work.unknown.isEmpty
        works.append(work)
      } catch {
        problems.append((entry.path, error))
      }
    }
    if isWrong { return .usage }
    for index in works.indices {
      do {
        try works[index].carryOut()
        say(works[index], decision, json: json)
      } catch {
        problems.append((works[index].path, error))
      }
    }
    for (path, problem) in problems { complaints.say(path, problem) }
    if works.isEmpty, problems.isEmpty, !json { complaints.sayNothingIsPending() }
    return problems.map(\.problem.exit).max { $0.rawValue < $1.rawValue } ?? .success
  }

  private func say(_ work: PendingWork, _ decision: PendingDecision, json: Bool) {
    let word = decision == .accept ? "accepted" : "rejected"
    let failing = decision == .accept ? work.failing : []
    if json {
      let line = JSONLine(word).with("path", work.path).with("count", work.count)
        .with("left", work.left)
        .with("failing", failing.isEmpty ? nil : .array(failing.map { .number("\($0.line)") }))
      return StandardStreams.write(line.text)
    }
    let left = work.left > 0 ? ", \(work.left) left" : ""
    StandardStreams.write("\(word) \(work.count) in \(FailureText.quoted(work.path))\(left)\n")
    for line in failing.compactMap({ $0.acceptedFailure(in: work.path) }) {
      StandardStreams.write(line + "\n")
    }
  }
}

/// The decisions for one file.
private struct PendingWork {
  let path: String
  /// Requested lines at which nothing is pending.
  let unknown: [Int]
  private let place: String
  private let decisions: [PendingDecision?]
  /// Nil if the pending result is only removed.
  private var file: PendingFile?

  /// Reads a pending result. One that is of no use any more can still be rejected.
  init(_ entry: PendingSelection.Entry, _ decision: PendingDecision) throws(PendingProblem) {
    (path, place) = (entry.path, entry.place)
    let lines = entry.isWhole ? [] : entry.lines
    do {
      let file = try PendingFile(path: entry.path, place: entry.place)
      (decisions, unknown) = file.decisions(decision, atLines: lines)
      self.file = file
    } catch {
      let isDone = decision == .reject && error.canBeForgotten(entry.path)
      guard isDone || error == .empty, lines.isEmpty else { throw error }
      (decisions, unknown) = ([decision], [])
    }
  }

  var count: Int { decisions.count { $0 != nil } }
  /// The decided hunks whose commands fail.
  var failing: [PendingHunk] {
    zip(file?.hunks ?? [], decisions).filter { $0.fails && $1 != nil }.map(\.0)
  }
  var left: Int { decisions.count - count }

  /// The lines with pending output, as text.
  var places: String {
    let lines = file?.hunks.prefix(8).map { "\($0.line)" } ?? []
    let more = (file?.hunks.count ?? 0) > lines.count ? " and more" : ""
    return (lines.count == 1 ? "line " : "lines ") + lines.joined(separator: ", ") + more
  }

  mutating func carryOut() throws(PendingProblem) {
    if file == nil { return try PendingFile.remove(place) }
    try file?.carryOut(decisions)
  }
}
