import Timelines

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Plays the transcripts of files and folders, several at once, and reports.
///
/// Each transcript has a fresh performer. Workers are copies of this process, so that a crash or a
/// hang in one transcript is its failure alone; whatever the number of workers, the report is the same.
package struct TranscriptRunner {
  /// Whether expected output is rewritten.
  package enum Update: Sendable {
    case no
    /// Yes, except where the environment says that nobody looks at the result.
    case yes
    case evenInCI
  }

  /// How transcripts are played.
  package struct Options: Sendable {
    /// Workers at a time; nil for one to a processor.
    package var jobs: Int?
    /// Whether the first failure, by path, is the only one reported.
    package var failFast = false
    /// The real time that one transcript may take.
    package var timeout: Duration = .seconds(10)
    /// A text that a path must contain to be played.
    package var filter: String?
    /// Whether output that differs is accepted.
    package var update: Update = .no
    /// What becomes of the ways between states that were taken; nil where nobody counts them.
    package var coverage: CoverageOptions?
    /// Where what differs is left to be reviewed; nil for nowhere.
    package var pending: PendingPlace?
    /// Who tells what the run came to.
    package var reporters = Reporters()
    /// Told several times a second how many files were begun, of how many, where that takes long.
    package var onWaiting: (@Sendable (_ begun: Int, _ count: Int) -> Void)?
    /// Whether mistakes are told as lines of JSON.
    package var json: Bool { reporters.areJSON }
    /// Whether the environment is one where nobody looks at what is rewritten.
    package var isCI = Self.environmentIsCI

    /// The defaults.
    package init() {}

    /// Whether the environment sets `CI` to something other than nothing, `0` or `false`.
    package static var environmentIsCI: Bool {
      guard let value = getenv("CI").map({ String(cString: $0) }) else { return false }
      return !value.isEmpty && value != "false" && value != "0"
    }

    /// The time limit, at least one millisecond.
    package var timeoutInMilliseconds: Int {
      let (seconds, attoseconds) = timeout.components
      let limit = Int64(Int32.max)
      return Int(max(1, min(seconds, limit) * 1000 + attoseconds / 1_000_000_000_000_000))
    }
  }

  private let options: Options
  private let makePerformer: PerformerFactory

  /// - Parameters:
  ///   - options: how transcripts are played.
  ///   - performer: called once for each playing of a transcript, in a worker's process.
  package init(options: Options, performer: @escaping PerformerFactory) {
    self.options = options
    makePerformer = performer
  }

  /// Plays in workers of their own processes.
  ///
  /// This process may have only one thread, as at the start of a program; with more it refuses, and
  /// the exit code is `harness`.
  ///
  /// - Parameters:
  ///   - paths: files and folders.
  ///   - output: takes the report, piece by piece, line feeds included.
  /// - Returns: what the process should end with.
  package func run(paths: [String], output: (String) -> Void) -> ProgramExit {
    guard let entries = select(paths, output) else { return .usage }
    return run(entries, output)
  }

  private func run(
    _ entries: [TranscriptSelection.Entry],
    _ output: (String) -> Void
  ) -> ProgramExit {
    guard ProcessControl.isSingleThreaded else {
      complain("transcripts cannot be isolated in a process that has several threads", output)
      return .harness
    }
    let workers = min(max(1, options.jobs ?? ProcessControl.processorCount), entries.count, 256)
    guard let board = WorkerBoard(fileCount: entries.count, workers: workers) else {
      complain("no memory to share with workers", output)
      return .harness
    }
    defer { board.unmap() }
    var pool = WorkerPool(entries, options, makePerformer, board)
    pool.run()
    let report = report(entries, pool.frames, passes: board.passes)
    let code = finish(report, output)
    guard let problem = pool.problem else { return code }
    complain(problem, output)
    return .harness
  }

  /// Plays in this process, on this thread, one transcript after the other.
  ///
  /// For a process that has threads, such as a test. There is no time limit, and a crash is a crash.
  package func runInProcess(paths: [String], output: (String) -> Void) -> ProgramExit {
    guard let entries = select(paths, output) else { return .usage }
    return runInProcess(entries, output)
  }

  /// Plays transcripts that somebody else has read: in workers where this process may have any, or
  /// else on this thread, with neither a time limit nor shelter from a crash.
  package func run(
    contents: [(path: String, bytes: [UInt8])],
    output: (String) -> Void
  ) -> ProgramExit {
    let entries = contents.map {
      TranscriptSelection.Entry(path: $0.path, isNamed: true, bytes: $0.bytes)
    }
    return ProcessControl.isSingleThreaded
      ? run(entries, output) : runInProcess(entries, output)
  }

  private func runInProcess(
    _ entries: [TranscriptSelection.Entry],
    _ output: (String) -> Void
  ) -> ProgramExit {
    var frames: [OutcomeFrame] = []
    var passes = Array(repeating: 0, count: entries.count)
    for file in entries.indices {
      var transcripts = Transcripts.load(entries[file])
      var fence = 0
      while fence < transcripts.count, !(options.failFast && Self.hasFailure(frames)) {
        let updates = options.update != .no
        var arrows = ArrowCounts()
        var recording: Recording?
        var differences: [Replay.Difference] = []
        let outcome = TranscriptOutcome(
          transcripts[fence],
          makePerformer,
          updates: updates,
          arrows: options.coverage == nil ? nil : { arrows = $0 },
          recording: options.reporters.wantPictures ? { recording = $0 } : nil,
          differences: options.pending == nil ? nil : { differences = $0 }
        )
        if outcome == .passed { passes[file] += 1 }
        frames.append(
          OutcomeFrame(
            file: file,
            fence: fence,
            outcome: outcome,
            arrows: arrows,
            recording: recording
          )
        )
        if !differences.isEmpty,
          let proposal = Proposal(transcripts[fence], differences, makePerformer)
        {
          frames.append(OutcomeFrame(file: file, fence: fence, outcome: .proposed(proposal)))
        }
        if outcome == .updated { transcripts = Transcripts.load(entries[file]) }
        fence += 1
      }
    }
    return finish(report(entries, frames, passes: { passes[$0] }), output)
  }

  /// Leaves what differs to be reviewed, and says what the run came to.
  private func report(
    _ entries: [TranscriptSelection.Entry],
    _ frames: [OutcomeFrame],
    passes: (Int) -> Int
  ) -> RunReport {
    let failFast = options.failFast
    let pending = options.pending.map {
      PendingResults($0, entries, frames, passes: passes, failFast: failFast)
    }
    var report = RunReport(
      entries,
      pending?.frames ?? frames,
      passes: passes,
      failFast: failFast,
      isComplete: options.reporters.wantEverything
    )
    report.notes += pending?.notes ?? []
    return report
  }

  private static func hasFailure(_ frames: [OutcomeFrame]) -> Bool {
    frames.contains { if case .failed = $0.outcome { true } else { false } }
  }

  private func finish(_ report: RunReport, _ output: (String) -> Void) -> ProgramExit {
    if report.isEmpty {
      let names = report.others.keys.sorted().map(FailureText.visible).joined(separator: ", ")
      complain(
        "no transcript in what was asked for; a run of nothing proves nothing",
        hint: names.isEmpty
          ? nil : "fences marked with another program's name are left to it: \(names)",
        output
      )
      return .usage
    }
    return options.reporters.deliver(report, coverage: options.coverage, output: output)
  }

  private func complain(_ problem: String, hint: String? = nil, _ output: (String) -> Void) {
    if options.json { return output(JSONLine.error(problem, hint: hint).text) }
    output("error: \(FailureText.visible(problem))\n")
    if let hint { output("hint: \(FailureText.visible(hint))\n") }
  }

  /// The files to play, or nil, with the reason said, when the question makes no sense.
  private func select(
    _ paths: [String],
    _ output: (String) -> Void
  ) -> [TranscriptSelection.Entry]? {
    if options.update == .yes, options.isCI {
      complain(
        "nothing is updated where CI is set in the environment",
        hint: "update at home and commit the result, or add '--force'",
        output
      )
      return nil
    }
    let selection = TranscriptSelection(paths: paths, filter: options.filter)
    for path in selection.missing {
      complain("\(FailureText.quoted(path)): \(FileProblem.missing.sentence)", output)
    }
    guard selection.missing.isEmpty else { return nil }
    if selection.entries.isEmpty {
      let filter = options.filter.map { " whose path contains '\($0)'" } ?? ""
      complain(
        "no transcript\(filter) in: \(paths.joined(separator: ", "))",
        hint: "transcripts end in .transcript, or are fences of a .md file",
        output
      )
      return nil
    }
    return selection.entries
  }
}
