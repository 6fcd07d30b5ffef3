package import Timelines

/// The result of a run of transcripts: counts, notes and exit code; a run without a played or passed transcript fails.
/// Every report is rendered from it.
package struct RunReport: Sendable, Equatable {
  /// The part of all transcripts that a run played, from 1.
  package struct Shard: Encodable, Sendable, Hashable {
    package let index: Int
    package let count: Int
    /// The digest of the selected transcripts and of the division: equal in all shards of one run.
    package let digest: String

    package init(index: Int, of count: Int, digest: String) {
      self.index = index
      self.count = count
      self.digest = digest
    }
  }

  /// The program that played.
  package var program = ProgramName.current
  /// The version of that program.
  package var version = ""
  /// The part that was played, if the run was divided.
  package var shard: Shard?
  /// The files that the transcripts of a shard read, each with a digest of its content.
  package var readings: [String: String] = [:]
  /// Whether a report that was read has coverage.
  package var countsTransitions = false
  /// All transcripts by path and fence; without passed ones, unless `isComplete`.
  package var tests: [TranscriptResult] = []
  /// Whether `tests` includes the passed transcripts.
  package var isComplete = false
  /// Number of passed transcripts.
  package var passed = 0
  /// Number of files that were not played, because an earlier one failed or time was up.
  package var notReplayed = 0
  /// Number of played files that were not read again for names, tags and omitted fences, because time was up.
  var unreadFiles = 0
  /// Number of Markdown fences of other programs, by program.
  package var others: [String: Int] = [:]
  /// Notes, and fences of other programs, of each file that has any; `notes` and `others` have the same for the whole run.
  var remarksOfFiles: [String: FileRemarks] = [:]
  /// Notes about the whole run, a line each.
  package var notes: [String] = []
  /// Problems of the run itself. They fail the run even if every transcript passed.
  package var problems: [String] = []
  /// Hints for some of these problems.
  package var hints: [String: String] = [:]
  /// The transitions that the run took, if they were counted.
  package var transitions = TransitionCounts()
  /// The transitions of each machine, including those that were never taken; nil unless coverage was requested.
  package var coverage: Coverage?

  package init() {}

  /// The notes about one file.
  struct FileRemarks: Sendable, Equatable {
    var notes: [String] = []
    /// Numbers of fences by the names of their programs.
    var others: [String: Int] = [:]
  }

  /// A report of a run that played nothing.
  package init(problems: [String], hint: String?) {
    self.problems = problems
    if let last = problems.last { hints[last] = hint }
  }

  /// Adds problems of the run itself, without duplicates.
  mutating func add(problems new: [String]) {
    problems += new.filter { !problems.contains($0) }
  }

  /// The transcripts that fail the run.
  package var failed: [TranscriptResult] { tests.filter(\.isFailure) }

  /// Transcripts that passed and expect a failure.
  package var expectingFailure: [TranscriptResult] { tests.filter(\.expectsFailure) }

  /// Number of transcripts that passed and whose expected output shows each failure of a command.
  package var showingFailure: Int { tests.count(where: \.onlyShowsFailures) }

  /// One line for each command whose failure was accepted.
  var acceptedFailures: [String] {
    tests.filter { $0.outcome == .updated }.flatMap { test in
      test.failing.map { $0.sentence(in: test.path) }
    }
  }

  /// Names all the transcripts that expect a failure, so that a known bug stays visible; nil if there are none.
  var expectedFailures: String? {
    let expecting = expectingFailure
    guard !expecting.isEmpty else { return nil }
    let names = expecting.map { test in
      FailureText.quoted(test.path) + (test.fence > 0 ? " (code block \(test.fence))" : "")
    }
    return "expects a failure: \(names.joined(separator: ", "))"
  }

  /// All notes, a line each.
  var remarks: [String] { acceptedFailures + [expectedFailures].compactMap(\.self) + allNotes }

  /// The notes, including one that names the played part of the run.
  var allNotes: [String] {
    let part = shard.flatMap { shard in
      shard.count > 1 ? "only shard \(shard.index)/\(shard.count) was run" : nil
    }
    return [part].compactMap(\.self) + notes
  }

  /// Returns the number of transcripts with an outcome.
  package func count(_ outcome: TranscriptResult.Outcome) -> Int {
    outcome == .passed ? passed : tests.count { $0.outcome == outcome }
  }

  /// The files that were rewritten.
  package var updated: [String] {
    var paths: [String] = []
    for test in tests where test.outcome == .updated && paths.last != test.path {
      paths.append(test.path)
    }
    return paths
  }

  /// Whether it covers the whole run and not one of several shards.
  var isWhole: Bool { shard.map { $0.count == 1 } ?? true }

  /// Whether there was nothing to play.
  package var isEmpty: Bool { passed == 0 && tests.isEmpty }

  /// Fails a whole run in which no transcript passed: nothing was played, or all failures were known flaky ones.
  mutating func refuseNothing() {
    if isEmpty {
      let names = others.keys.sorted().map(FailureText.visible).joined(separator: ", ")
      let problem = "no transcript to replay, so the run fails"
      add(problems: [problem])
      hints[problem] =
        names.isEmpty ? nil : "code blocks of other programs are not replayed: \(names)"
    } else if problems.isEmpty, failed.isEmpty, passed + count(.updated) == 0 {
      add(problems: ["no transcript passed, so the run fails"])
    }
  }

  /// The exit code of the program.
  ///
  /// An unreadable or unwritable file counts more than a difference, because its result is unknown.
  package var exit: ProgramExit {
    let fileProblems = failed.flatMap(\.failures).compactMap(\.problem.fileProblem)
    if !fileProblems.isEmpty {
      return fileProblems.contains(where: \.placeTakesNothing) ? .harness : .usage
    }
    if problems.isEmpty, failed.isEmpty { return .success }
    return tests.isEmpty && passed + notReplayed == 0 ? .usage : .differences
  }

  /// The counts as text, without a full stop.
  package var summary: String {
    let expecting = expectingFailure.count
    let showing = showingFailure
    var remarks: [String] = []
    if expecting > 0 {
      remarks.append("\(expecting) \(expecting == 1 ? "expects" : "expect") a failure")
    }
    if showing > 0 {
      remarks.append("\(showing) \(showing == 1 ? "has" : "have") commands that fail")
    }
    let more = remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))"
    var parts = ["\(passed) passed\(more)"]
    let words: [(TranscriptResult.Outcome, String)] = [
      (.updated, "updated"), (.failed, "failed"), (.flaky, "flaky"),
      (.knownFlaky, "known to be flaky"),
    ]
    for (outcome, word) in words where count(outcome) > 0 {
      parts.append("\(count(outcome)) \(word)")
    }
    if notReplayed > 0 { parts.append("\(notReplayed) not replayed") }
    for (program, count) in others.sorted(by: { $0.key < $1.key }) {
      parts.append("\(count) left to \(FailureText.visible(program))")
    }
    return parts.joined(separator: ", ")
  }
}
