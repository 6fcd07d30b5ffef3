import RehearsalBase
import Workers

/// Runs transcripts: in workers or in this process; decides the end of a run, its problems and its exit code.
///
/// Each transcript has a fresh performer. Workers are copies of this process, so a crash or a hang in one transcript
/// fails only that one. The report does not depend on the number of workers.
package struct TranscriptRunner {
  var options: Options
  private let makePerformer: PerformerFactory
  /// Called first with the report and the files that the transcripts of each file read; returns the report for the
  /// output files.
  var onReport: ((RunReport, [String: [FileReading]]) -> RunReport)?
  /// Takes the files that the transcripts of a run have read.
  package var onReadings: (([FileReading]) -> Void)? {
    didSet { options.followsFiles = onReadings != nil }
  }

  /// - Parameters:
  ///   - options: which transcripts are played, and how.
  ///   - performer: called once for each play of a transcript, in a worker process.
  package init(options: Options, performer: @escaping PerformerFactory) {
    self.options = options
    makePerformer = performer
  }

  /// Plays in worker processes.
  ///
  /// This process must have only one thread, as at the start of a program; otherwise the exit code is `harness`.
  ///
  /// - Parameters:
  ///   - paths: files and folders.
  ///   - output: receives the report in pieces, including line feeds.
  /// - Returns: the exit code of the process.
  package func run(paths: [String], output: (String) -> Void) -> ProgramExit {
    do throws(RunPlan.Refusal) {
      let plan = try plan(paths)
      options.reporters.begin(options.coverage)
      return StopSignals.listening { run(plan, output) }
    } catch {
      return refuse(error, output)
    }
  }

  /// Plays in workers until the run ends or is stopped, and reports what was played.
  ///
  /// - Parameters:
  ///   - plan: what to play.
  ///   - isOutdated: called repeatedly. When it returns true, the run ends without a report.
  ///   - output: receives the report.
  /// - Returns: the exit code of the process; nil if the run was outdated.
  func run(
    _ plan: RunPlan,
    unless isOutdated: () -> Bool,
    _ output: (String) -> Void
  ) -> ProgramExit? {
    StopSignals.listening { played(plan, unless: isOutdated, output) }
  }

  /// Plays in this process, on this thread, one transcript after another.
  ///
  /// For a process with several threads, such as a test. There is no time limit and no crash isolation.
  package func runInProcess(paths: [String], output: (String) -> Void) -> ProgramExit {
    do throws(RunPlan.Refusal) {
      let plan = try plan(paths)
      options.reporters.begin(options.coverage)
      return runInProcess(plan, output)
    } catch {
      return refuse(error, output)
    }
  }

  /// Plays transcripts that are already in memory: in workers if this process can have any, otherwise on this thread,
  /// without a time limit or crash isolation.
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

  /// Returns what to play.
  ///
  /// - Throws: `Refusal` if the options or paths are wrong.
  func plan(_ paths: [String]) throws(RunPlan.Refusal) -> RunPlan {
    if options.update == .yes, options.isCI {
      throw RunPlan.Refusal(
        problems: ["nothing is updated if CI is set in the environment"],
        hint: "update locally and commit the result, or add '--force'"
      )
    }
    guard !paths.contains("") else {
      throw RunPlan.Refusal(problems: ["a path is empty"], hint: "'.' is the current folder")
    }
    if let path = options.knownFlaky { try checkList(path, named: paths) }
    return try RunPlan(paths: paths, options)
  }

  /// Reports why nothing is played.
  func refuse(_ refusal: RunPlan.Refusal, _ output: (String) -> Void) -> ProgramExit {
    let report = RunReport(problems: refusal.problems, hint: refusal.hint)
    return reportNothing(report, writesFiles: !refusal.isOfReports, output)
  }

  /// Reports why nothing was played, on standard output and in files, which would otherwise still have the report of an
  /// earlier run.
  func reportNothing(
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
      preconditionFailure("A run that is never outdated has an exit code.")
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
    guard let sharedState = SharedRunState(placeCount: places) else {
      complain("no memory to share with workers", output)
      return .harness
    }
    defer { sharedState.unmap() }
    let load = options.checksDeterminism ? BusyProcesses(count: ProcessControl.processorCount) : nil
    let pool = TranscriptPool(
      plan.entries,
      plan.order,
      options,
      makePerformer,
      sharedState,
      workers: workers,
      begin: plan.begin
    )
    guard var pool else {
      load?.end()
      complain("no memory to share with workers", output)
      return .harness
    }
    let isWhole = pool.run(unless: isOutdated)
    load?.end()
    guard isWhole else { return nil }
    let code = finish(
      plan,
      pool.plays,
      last: pool.end?.place ?? places,
      end: pool.end,
      problem: pool.problem,
      output,
      place: { (sharedState.passes($0), sharedState.microseconds($0), sharedState.isFinished($0)) }
    )
    return pool.problem == nil ? pool.end?.exit ?? code : .harness
  }

  private func runInProcess(_ plan: RunPlan, _ output: (String) -> Void) -> ProgramExit {
    var plays: [TranscriptPlay] = []
    var counts: [FileCounts.AtPlace] = []
    for (place, file) in plan.order.files.enumerated() {
      if options.failFast, plays.contains(where: \.hasFailed) { break }
      counts.append(play(plan.entries[file], file: file, place: place) { plays.append($0) })
    }
    return finish(plan, plays, last: counts.count, output) { counts[$0] }
  }

  /// Plays one file in this process and on this thread.
  ///
  /// - Parameters:
  ///   - entry: the file.
  ///   - file: its index in the run.
  ///   - place: the position in the run at which it is played.
  ///   - report: receives the results.
  /// - Returns: the counts of this play.
  func play(
    _ entry: TranscriptSelection.Entry,
    file: Int,
    place: Int,
    report: (TranscriptPlay) -> Void
  ) -> FileCounts.AtPlace {
    let start = ProcessControl.microseconds
    let transcripts = Transcripts.load(entry)
    let base = transcripts.first.map { FNV1a.hash($0.bytes) } ?? 0
    var (passes, hasFailed, fence) = (0, false, 0)
    while fence < transcripts.count, !(options.failFast && hasFailed) {
      defer { fence += 1 }
      if entry.fences?.contains(fence) == false { continue }
      TranscriptPlay.perform(
        transcripts[fence],
        file: file,
        fence: fence,
        place: place,
        base: base,
        options,
        makePerformer
      ) { play in
        passes += play.outcome == .passed ? 1 : 0
        hasFailed = hasFailed || play.hasFailed
        report(play)
      }
    }
    return (passes, ProcessControl.microseconds - start, fence >= transcripts.count)
  }

  // MARK: The report

  /// Creates the report of a run and delivers it.
  ///
  /// - Parameters:
  ///   - plan: the files of the run.
  ///   - plays: the results, in any order.
  ///   - last: the number of started plays.
  ///   - end: why and where the run ended early; nil if it did not.
  ///   - problem: a fault of the harness that prevented plays; nil if there was none.
  ///   - output: receives the report.
  ///   - place: returns the counts of a play.
  /// - Returns: the exit code of the process.
  func finish(
    _ plan: RunPlan,
    _ plays: [TranscriptPlay],
    last: Int,
    end: RunEnd? = nil,
    problem: String? = nil,
    _ output: (String) -> Void,
    place: (Int) -> FileCounts.AtPlace
  ) -> ProgramExit {
    let finishTime = ProcessControl.milliseconds
    var (last, reason) = (last, end?.reason)
    if options.failFast, let first = plays.filter(\.hasFailed).map(\.place).min() {
      (last, reason) = (min(last, first + 1), "the run ended at the first failure")
    }
    var plays = plays.filter { $0.place < last }
      .sorted { ($0.file, $0.fence, $0.place) < ($1.file, $1.fence, $1.place) }
    if options.updatesTranscripts { plays = AcceptedOutput(plays, plan.entries).plays }
    let files = FileCounts.all(plan, end: last, plays, place: place)
    let pending = options.pendingPlace.map { pendingPlace in
      PendingResults(pendingPlace, plan.entries, plays, passes: { files[$0].passes })
    }
    plays = pending?.plays ?? plays
    // A run that has reached its limit has a little more time for its report.
    let readingEnd = options.totalTimeoutInMilliseconds.map { limit in
      max(plan.begin + limit, ProcessControl.milliseconds + max(1_000, limit / 10))
    }
    var report = RunReport(
      plan.entries,
      plays,
      files,
      reason: reason,
      isComplete: options.reporters.namesPassed || onReport != nil,
      hasTimes: options.reporters.tellsTimes,
      mayRead: { readingEnd.map { ProcessControl.milliseconds < $0 } ?? true }
    )
    let readings = Dictionary(grouping: plays) { plan.entries[$0.file].path }
      .mapValues { $0.flatMap(\.readings) }.filter { !$0.value.isEmpty }
    onReadings?(readings.sorted { $0.key < $1.key }.flatMap(\.value))
    if let shard = options.shard, let digest = plan.digest {
      report.shard = .init(index: shard.index + 1, of: shard.count, digest: digest.text)
      let read = ReadDigests(readings.values.joined(), since: plan.start)
      report.readings = read.digests
      report.notes += read.notes
    }
    report.notes += plan.notes + (pending?.notes ?? [])
    if let seed = options.orderSeed {
      report.notes.append(
        "the order of the transcripts was shuffled; '--order-seed \(seed)' repeats it"
      )
    }
    let finished = (0..<last).count { place($0).isFinished }
    let played = files.reduce(0) { $0 + Int($1.plays) }
    if let end { writeActivity(at: end, plan) }
    report.problems += [
      problem, end.flatMap { self.problem(of: $0, plan, finished, played, report) },
    ]
    .compactMap(\.self)
    if reason == nil, finished < plan.order.files.count {
      report.problems.append(
        "only \(finished) of \(plan.order.files.count) files were replayed to their end"
      )
    }
    if let limit = options.totalTimeoutInMilliseconds, finishTime - plan.begin > limit,
      report.problems.isEmpty, report.failed.isEmpty
    {
      report.problems.append(
        "the run took longer than its limit of \(WorkerEnd.Cause.compact(limit))"
      )
    }
    if report.unreadFiles > 0, let limit = options.totalTimeoutInMilliseconds {
      let files = report.unreadFiles == 1 ? "1 file was" : "\(report.unreadFiles) files were"
      report.problems.append(
        "the run reached its limit of \(WorkerEnd.Cause.compact(limit)) before its report was complete: \(files) not read again for names, tags and omitted code blocks"
      )
    }
    let updated = Set(report.updated)
    for entry in plan.entries where entry.hasOtherFences && !updated.contains(entry.path) {
      let problem = "\(FailureText.quoted(entry.path)): \(FileProblem.changed.sentence)"
      report.problems.append(problem)
      report.hints[problem] =
        "run the test again: its code blocks were selected from its old content"
    }
    if let note = updateHistory(plan, plays, files) { report.notes.append(note) }
    var code = ProgramExit.success
    if let path = options.knownFlaky {
      do throws(FileProblem) {
        try ignoreKnownFailures(&report, plan, files, by: path)
      } catch {
        report.problems.append("the list \(FailureText.quoted(path)): \(error.sentence)")
        code = .usage
      }
    }
    // The same order as in merged reports.
    report.notes.sort(by: NaturalOrder.precedes)
    var whole = onReport?(report, readings)
    if !report.isWhole, report.isEmpty, end == nil,
      plan.ofOtherShards.allSatisfy({ Transcripts.load($0).isEmpty })
    {
      report.refuseNothing()
      return max(code, reportNothing(report, output))
    }
    if report.isWhole {
      // A shard may be empty, but the whole run must not be.
      if var all = whole {
        let known = all.problems
        all.refuseNothing()
        report.add(problems: all.problems.filter { !known.contains($0) })
        report.hints.merge(all.hints) { first, _ in first }
        whole = all
      } else {
        report.refuseNothing()
        if report.isEmpty { return max(code, reportNothing(report, output)) }
      }
    }
    let reporters = options.reporters
    let exit = reporters.deliver(report, whole: whole, coverage: options.coverage, output: output)
    return max(code, exit)
  }

  /// Returns the problem of a run that ended early; nil if everything was played or named as a failure.
  private func problem(
    of end: RunEnd,
    _ plan: RunPlan,
    _ finished: Int,
    _ played: Int,
    _ report: RunReport
  ) -> String? {
    switch end.cause {
    case .time(let limit):
      let limit = "the run reached its limit of \(WorkerEnd.Cause.compact(limit))"
      if report.notReplayed > 0 { return "\(limit) before everything was replayed" }
      let plays = plan.order.files.count
      return played < plays ? "\(limit) after \(played) of \(plays) replays" : nil
    case .signal(let number):
      let paths = Set(end.underWay.map(\.file)).sorted()
        .map { FailureText.quoted(plan.entries[$0].path) }
      let more = paths.count > 3 ? " and \(paths.count - 3) more" : ""
      let place = paths.isEmpty ? "" : " in " + paths.prefix(3).joined(separator: ", ") + more
      let count = plan.order.files.count
      return
        "stopped by \(StopSignals.name(of: number))\(place); \(finished) of \(count) replayed"
    }
  }

  /// Writes what the transcripts under way did at SIGQUIT to standard error.
  private func writeActivity(at end: RunEnd, _ plan: RunPlan) {
    for (file, lines) in end.underWay.sorted(by: { $0.file < $1.file }) where !lines.isEmpty {
      let title = "SIGQUIT: \(FailureText.quoted(plan.entries[file].path))"
      let text = ([title] + lines).map { $0.printable(atMost: 400) + "\n" }.joined()
      try? FileBytes.write(Array(text.utf8), to: 2)
    }
  }

  /// Writes the results of the files into the history.
  ///
  /// - Returns: a note if it could not be written.
  private func updateHistory(
    _ plan: RunPlan,
    _ plays: [TranscriptPlay],
    _ files: [FileCounts]
  ) -> String? {
    guard let history = options.history, options.writesHistory else { return nil }
    let failed = Set(plays.filter(\.hasFailed).map(\.file))
    let record = { (index: Int) -> TestHistory.Record? in
      let file = files[index]
      let hasFailed = failed.contains(index)
      // A file that was interrupted has no result.
      guard file.plays > 0, hasFailed || file.isFinished else { return nil }
      // If only some fences were selected and passed, the results of the others are unknown.
      if plan.entries[index].fences != nil, !hasFailed { return nil }
      return TestHistory.Record(hasFailed: hasFailed, microseconds: Int(file.microseconds))
    }
    return history.write(record, of: plan.keys, without: plan.isGone)
  }

  /// Ignores the failures of known flaky files, and fails the run for stale entries of the list.
  ///
  /// - Throws: why the list cannot be read or written.
  private func ignoreKnownFailures(
    _ report: inout RunReport,
    _ plan: RunPlan,
    _ files: [FileCounts],
    by path: String
  ) throws(FileProblem) {
    let list = KnownFlaky(path: path, bytes: try FileBytes.read(path))
    let failing = Set(report.tests.filter { $0.outcome != .passed }.map(\.path))
    let indices = Dictionary(zip(plan.keys, plan.keys.indices)) { first, _ in first }
    let (gone, problems) = list.apply(&report.tests, exists: FileBytes.exists) { key in
      guard let index = indices[key], plan.entries[index].fences == nil,
        !failing.contains(plan.entries[index].path)
      else { return false }
      return (options.repeats > 1 || options.checksDeterminism)
        && Int(files[index].plays) == options.repeats
    }
    report.problems += list.problems + problems
    if options.update != .no, !gone.isEmpty || list.slack != nil {
      try AtomicFile.write(Array(list.text(without: gone.map(\.entry)).utf8), to: path)
      report.notes += gone.map { "\(FailureText.quoted($0.entry.path)) is no longer in \(path)" }
    } else {
      report.problems += gone.map { list.problem($0.entry, $0.why) }
      if options.update == .no, let slack = list.slack { report.problems.append(slack) }
    }
  }

  /// Checks before the run that a file is a list of transcripts.
  private func checkList(_ path: String, named: [String]) throws(RunPlan.Refusal) {
    let list: KnownFlaky
    do throws(FileProblem) {
      list = KnownFlaky(path: path, bytes: try FileBytes.read(path))
    } catch {
      throw RunPlan.Refusal(problems: ["the list \(FailureText.quoted(path)): \(error.sentence)"])
    }
    if let problem = list.refusal(named: named, isFolder: Folder.isFolder) {
      let hint = "a list of known flaky transcripts has one path on each line"
      throw RunPlan.Refusal(problems: [problem], hint: hint)
    }
  }

  /// Prints the problems of the run itself.
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
