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
    guard let plan = plan(paths, output) else { return .usage }
    return runUntilStopped(plan, output)
  }

  /// Plays in workers until somebody stops the run, and tells what was played until then.
  func runUntilStopped(_ plan: RunPlan, _ output: (String) -> Void) -> ProgramExit {
    StopSignals.listening { run(plan, output) }
  }

  /// Plays in this process, on this thread, one transcript after the other.
  ///
  /// For a process that has threads, such as a test. There is no time limit, and a crash is a crash.
  package func runInProcess(paths: [String], output: (String) -> Void) -> ProgramExit {
    guard let plan = plan(paths, output) else { return .usage }
    return runInProcess(plan, output)
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

  /// Says what would be played, a file a line, with the names and tags of its transcripts.
  package func list(paths: [String], output: (String) -> Void) -> ProgramExit {
    guard let plan = plan(paths, output) else { return .usage }
    for entry in plan.entries {
      let transcripts = Transcripts.load(entry).enumerated()
        .filter { entry.fences?.contains($0.offset) != false }.map(\.element)
      for transcript in transcripts {
        output(options.json ? transcript.listedJSON : transcript.listed)
      }
    }
    return .success
  }

  /// What to play, or nil, with the reason said, when the question makes no sense.
  func plan(_ paths: [String], _ output: (String) -> Void) -> RunPlan? {
    if options.update == .yes, options.isCI {
      complain(
        "nothing is updated where CI is set in the environment",
        hint: "update at home and commit the result, or add '--force'",
        output
      )
      return nil
    }
    if let path = options.knownFlaky, !isList(path, output) { return nil }
    do throws(RunPlan.Refusal) {
      return try RunPlan(paths: paths, options)
    } catch {
      for problem in error.problems.dropLast() { complain(problem, output) }
      if let last = error.problems.last { complain(last, hint: error.hint, output) }
      return nil
    }
  }

  private func run(_ plan: RunPlan, _ output: (String) -> Void) -> ProgramExit {
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
    var pool = WorkerPool(plan.entries, plan.order, options, makePerformer, board)
    pool.run()
    load?.end()
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
    let code = finish(plan, run, pool.end, output)
    guard let problem = pool.problem else { return pool.end?.exit ?? code }
    complain(problem, output)
    return .harness
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
      isFinished: { _ in true },
      failFast: options.failFast
    )
    return finish(plan, run, nil, output)
  }

  // MARK: What it comes to

  private func finish(
    _ plan: RunPlan,
    _ played: PlayedRun,
    _ end: RunEnd?,
    _ output: (String) -> Void
  ) -> ProgramExit {
    let files = played.files(count: plan.entries.count)
    let readings = played.readings(of: plan.entries)
    let pending = options.pendingPlace.map { place in
      PendingResults(
        place,
        plan.entries,
        played.frames,
        passes: { files[$0].passes },
        failFast: false
      )
    }
    var played = played
    if let pending { played.frames = pending.frames }
    var report = RunReport(
      plan.entries,
      played,
      isComplete: options.reporters.wantEverything
        || onReport != nil && !options.reporters.files.isEmpty,
      hasTimes: options.reporters.tellsTimes
    )
    report.shard = options.shard.map { RunReport.Shard(index: $0.index + 1, of: $0.count) }
    report.notes += plan.notes + (pending?.notes ?? [])
    if let seed = options.orderSeed {
      report.notes.append("the order of playing was shuffled; '--order-seed \(seed)' repeats it")
    }
    if let end, let problem = problem(of: end, plan, played, report) {
      report.problems.append(problem)
    }
    if let note = remember(plan, played, files) { report.notes.append(note) }
    if let path = options.knownFlaky, !judge(&report, plan, files, by: path, output) {
      return .usage
    }
    return tell(report, whole: onReport?(report, readings), output)
  }

  /// What to say of a run that ended too early; nothing where all was played or named as a failure.
  private func problem(
    of end: RunEnd,
    _ plan: RunPlan,
    _ played: PlayedRun,
    _ report: RunReport
  ) -> String? {
    switch end.cause {
    case .time(let limit):
      if report.notPlayed == 0 { return nil }
      return
        "the run had taken \(TranscriptProblem.compact(limit)) before everything was played"
    case .signal(let number):
      let paths = Set(end.underWay).sorted().map { FailureText.quoted(plan.entries[$0].path) }
      let more = paths.count > 3 ? " and \(paths.count - 3) more" : ""
      let place = paths.isEmpty ? "" : " in " + paths.prefix(3).joined(separator: ", ") + more
      let count = plan.order.files.count
      return
        "stopped by \(StopSignals.name(of: number))\(place); \(played.finished) of \(count) played"
    }
  }

  /// Writes into the history how the files fared.
  private func remember(
    _ plan: RunPlan,
    _ played: PlayedRun,
    _ files: [PlayedRun.File]
  ) -> String? {
    // All shards must cut by the same history, so none of them may change one that they share.
    guard let history = options.history, options.shard == nil || !history.isNamed else {
      return nil
    }
    let failed = Set(played.frames.filter(\.hasFailed).map(\.file))
    var news: [String: TestHistory.Record] = [:]
    for (index, file) in files.enumerated() where file.plays > 0 {
      let hasFailed = failed.contains(index)
      // Of one that was stopped on the way nobody knows.
      if !hasFailed, !file.isFinished { continue }
      // That some of its fences passed says nothing of the others.
      if plan.entries[index].fences != nil, !hasFailed { continue }
      news[plan.keys[index]] = .init(hasFailed: hasFailed, microseconds: file.microseconds)
    }
    return history.write(news, without: plan.isGone)
  }

  private func tell(
    _ report: RunReport,
    whole: RunReport?,
    _ output: (String) -> Void
  ) -> ProgramExit {
    // A part of a run may well be empty, the whole must not.
    if report.isEmpty, report.shard == nil {
      let names = report.others.keys.sorted().map(FailureText.visible).joined(separator: ", ")
      complain(
        "no transcript in what was asked for; a run of nothing proves nothing",
        hint: names.isEmpty
          ? nil : "fences marked with another program's name are left to it: \(names)",
        output
      )
      return .usage
    }
    let reporters = options.reporters
    return reporters.deliver(report, whole: whole, coverage: options.coverage, output: output)
  }

  /// Forgives what the list of known flaky files names, and fails the run for what it need not name.
  ///
  /// - Returns: false where the list cannot be read or written.
  private func judge(
    _ report: inout RunReport,
    _ plan: RunPlan,
    _ files: [PlayedRun.File],
    by path: String,
    _ output: (String) -> Void
  ) -> Bool {
    do throws(FileProblem) {
      let list = KnownFlaky(path: path, bytes: try FileBytes.read(path))
      let unsteady = Set(report.tests.filter { $0.outcome != .passed }.map(\.path))
      let indices = Dictionary(zip(plan.keys, plan.keys.indices)) { first, _ in first }
      let gone = list.judge(&report.tests, PathKey(), exists: FileBytes.exists) { key in
        guard let index = indices[key], plan.entries[index].fences == nil,
          !unsteady.contains(plan.entries[index].path)
        else { return false }
        return (options.repeats > 1 || options.checksItself)
          && files[index].plays == options.repeats
      }
      report.problems += list.problems
      if options.update != .no, !gone.isEmpty {
        try AtomicFile.write(Array(list.text(without: gone.map(\.entry)).utf8), to: path)
        report.notes += gone.map { "\(FailureText.quoted($0.entry.path)) is no longer in \(path)" }
      } else {
        report.problems += gone.map { list.problem($0.entry, $0.why) }
      }
      return true
    } catch {
      complain("the list \(FailureText.quoted(path)): \(error.sentence)", output)
      return false
    }
  }

  /// Whether a file lists transcripts, or else says why not; asked before anything is played.
  private func isList(_ path: String, _ output: (String) -> Void) -> Bool {
    do throws(FileProblem) {
      let list = KnownFlaky(path: path, bytes: try FileBytes.read(path))
      guard let problem = list.refusal(exists: FileBytes.exists) else { return true }
      complain(problem, hint: "a list of known flaky transcripts has a path a line", output)
    } catch {
      complain("the list \(FailureText.quoted(path)): \(error.sentence)", output)
    }
    return false
  }

  private func complain(_ problem: String, hint: String? = nil, _ output: (String) -> Void) {
    if options.json { return output(JSONLine.error(problem, hint: hint).text) }
    var text = "error: \(FailureText.visible(problem))\n"
    if let hint { text += "hint: \(FailureText.visible(hint))\n" }
    options.reporters.beside(text, output)
  }
}

extension Transcript {
  /// A line for people: the place, what it proves, its tags.
  fileprivate var listed: String {
    let place = FailureText.visible("\(path)" + (fence > 0 ? ":\(firstLine)" : ""))
    let name = name.map { "  # " + FailureText.visible($0) } ?? ""
    let tags = tags.isEmpty ? "" : "  [" + FailureText.visible(tags.joined(separator: ", ")) + "]"
    return place + name + tags + "\n"
  }

  fileprivate var listedJSON: String {
    let line = JSONLine("transcript").with("path", path).with("fence", fence > 0 ? fence : nil)
      .with("name", name)
    return (tags.isEmpty ? line : line.with("tags", tags)).text
  }
}
