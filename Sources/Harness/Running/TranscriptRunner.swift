/// Plays the transcripts of files and folders, several at once, and reports.
///
/// Each transcript has a fresh performer. Workers are copies of this process, so that a crash or a
/// hang in one transcript is its failure alone; whatever the number of workers, the report is the same.
package struct TranscriptRunner {
  var options: Options
  private let makePerformer: PerformerFactory
  /// Told of a report before anybody else, and of what the transcripts of each file read; says what goes into
  /// files.
  var onReport: ((RunReport, [String: [FileReading]]) -> RunReport)?

  /// - Parameters:
  ///   - options: which transcripts are played, and how.
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
    do throws(RunPlan.Refusal) {
      let plan = try plan(paths)
      options.reporters.begin(options.coverage)
      return StopSignals.listening { run(plan, output) }
    } catch {
      return refuse(error, output)
    }
  }

  /// Plays in workers until somebody stops the run, and tells what was played until then.
  ///
  /// - Parameters:
  ///   - plan: what to play.
  ///   - isOutdated: asked again and again; where it says so, that is the end of it, and nothing is told.
  ///   - output: takes the report.
  /// - Returns: what the process should end with; nil where the run was outdated.
  func run(
    _ plan: RunPlan,
    unless isOutdated: () -> Bool,
    _ output: (String) -> Void
  ) -> ProgramExit? {
    StopSignals.listening { played(plan, unless: isOutdated, output) }
  }

  /// Plays in this process, on this thread, one transcript after the other.
  ///
  /// For a process that has threads, such as a test. There is no time limit, and a crash is a crash.
  package func runInProcess(paths: [String], output: (String) -> Void) -> ProgramExit {
    do throws(RunPlan.Refusal) {
      let plan = try plan(paths)
      options.reporters.begin(options.coverage)
      return runInProcess(plan, output)
    } catch {
      return refuse(error, output)
    }
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
    let plan = RunPlan(contents: entries)
    return ProcessControl.isSingleThreaded ? run(plan, output) : runInProcess(plan, output)
  }

  /// What to play.
  ///
  /// - Throws: `Refusal` if the question makes no sense.
  func plan(_ paths: [String]) throws(RunPlan.Refusal) -> RunPlan {
    if options.update == .yes, options.isCI {
      throw RunPlan.Refusal(
        problems: ["nothing is updated where CI is set in the environment"],
        hint: "update at home and commit the result, or add '--force'"
      )
    }
    if let path = options.knownFlaky { try checkList(path, named: paths) }
    return try RunPlan(paths: paths, options)
  }

  /// Reports why nothing is played.
  func refuse(_ refusal: RunPlan.Refusal, _ output: (String) -> Void) -> ProgramExit {
    let report = RunReport(problems: refusal.problems, hint: refusal.hint)
    return tellNothing(report, writesFiles: !refusal.isOfReports, output)
  }

  /// Reports why nothing was played: on standard output and in files, where the report of an earlier run would be taken
  /// for this one's.
  func tellNothing(
    _ report: RunReport,
    writesFiles: Bool = true,
    _ output: (String) -> Void
  ) -> ProgramExit {
    var reporters = options.reporters
    if !writesFiles { reporters.chosen.removeAll { $0.file != nil } }
    if writesFiles { options.coverage?.removeFiles() }
    _ = reporters.deliver(report, coverage: nil) { if options.json { output($0) } }
    if !options.json {
      for note in report.notes {
        reporters.beside("note: \(FailureText.visible(note))\n", output)
      }
      complain(of: report, output)
    }
    return .usage
  }

  private func run(_ plan: RunPlan, _ output: (String) -> Void) -> ProgramExit {
    guard let exit = played(plan, unless: { false }, output) else {
      preconditionFailure("What is never outdated is played to its end.")
    }
    return exit
  }

  private func played(
    _ plan: RunPlan,
    unless isOutdated: () -> Bool,
    _ output: (String) -> Void
  ) -> ProgramExit? {
    guard ProcessControl.isSingleThreaded else {
      complain("transcripts cannot be isolated in a process that has several threads", output)
      return .harness
    }
    let places = plan.order.files.count
    let workers = min(max(1, options.jobs ?? ProcessControl.processorCount), places, 256)
    guard let board = WorkerBoard(placeCount: places, workers: workers) else {
      complain("no memory to share with workers", output)
      return .harness
    }
    defer { board.unmap() }
    let load = options.checksItself ? BusyProcesses(count: ProcessControl.processorCount) : nil
    let spent = plan.milliseconds
    var pool = WorkerPool(plan.entries, plan.order, options, makePerformer, board, spent: spent)
    let isWhole = pool.run(unless: isOutdated)
    load?.end()
    guard isWhole else { return nil }
    let run = PlayedRun(
      plan.order,
      end: pool.end?.place ?? places,
      frames: pool.frames,
      passes: board.passes,
      microseconds: board.microseconds,
      isFinished: board.isFinished,
      failFast: options.failFast,
      reason: pool.end?.reason
    )
    let code = finish(plan, run, pool.end, pool.problem, output)
    return pool.problem == nil ? pool.end?.exit ?? code : .harness
  }

  private func runInProcess(_ plan: RunPlan, _ output: (String) -> Void) -> ProgramExit {
    var frames: [OutcomeFrame] = []
    var plays: [LocalPlay] = []
    for (place, file) in plan.order.files.enumerated() {
      if options.failFast, frames.contains(where: \.hasFailed) { break }
      let played = LocalPlay(plan.entries[file], file: file, place: place, options, makePerformer)
      plays.append(played)
      frames += played.frames
    }
    let run = PlayedRun(
      plan.order,
      end: plays.count,
      frames: frames,
      passes: { plays[$0].passes },
      microseconds: { plays[$0].microseconds },
      isFinished: { plays[$0].isFinished },
      failFast: options.failFast
    )
    return finish(plan, run, nil, nil, output)
  }

  /// Says what is wrong with the run itself.
  func complain(of report: RunReport, _ output: (String) -> Void) {
    for problem in report.problems { complain(problem, hint: report.hints[problem], output) }
  }

  func complain(_ problem: String, hint: String? = nil, _ output: (String) -> Void) {
    if options.json { return output(JSONLine.error(problem, hint: hint).text) }
    var text = "error: \(FailureText.visible(problem))\n"
    if let hint { text += "hint: \(FailureText.visible(hint))\n" }
    options.reporters.beside(text, output)
  }
}
