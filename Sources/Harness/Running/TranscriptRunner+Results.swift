/// What playing comes to.
extension TranscriptRunner {
  func finish(
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
      files,
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
    // As parts of a run that are put together have them.
    report.notes.sort(by: NaturalOrder.precedes)
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
    guard let history = options.history, options.writesHistory else { return nil }
    let failed = Set(played.frames.filter(\.hasFailed).map(\.file))
    let record = { (index: Int) -> TestHistory.Record? in
      let file = files[index]
      let hasFailed = failed.contains(index)
      // Of one that was stopped on the way nobody knows.
      guard file.plays > 0, hasFailed || file.isFinished else { return nil }
      // That some of its fences passed says nothing of the others.
      if plan.entries[index].fences != nil, !hasFailed { return nil }
      return TestHistory.Record(hasFailed: hasFailed, microseconds: Int(file.microseconds))
    }
    return history.write(record, of: plan.keys, without: plan.isGone)
  }

  private func tell(
    _ report: RunReport,
    whole: RunReport?,
    _ output: (String) -> Void
  ) -> ProgramExit {
    // A part of a run may well be empty, the whole must not.
    if report.isEmpty, report.shard == nil {
      for note in report.notes { remark(note, output) }
      let names = report.others.keys.sorted().map(FailureText.visible).joined(separator: ", ")
      let problem = "no transcript in what was asked for; a run of nothing proves nothing"
      let hint =
        names.isEmpty ? nil : "fences marked with another program's name are left to it: \(names)"
      complain(problem, hint: hint, output)
      // Fences that are left to others, at most: what an earlier run has left in files would pass for this one's.
      var report = report
      report.problems.append(problem)
      report.hints[problem] = hint
      _ = options.reporters.deliver(report, coverage: nil) { _ in }
      return endOfNothing(output)
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
      let (gone, problems) = list.judge(&report.tests, exists: FileBytes.exists) { key in
        guard let index = indices[key], plan.entries[index].fences == nil,
          !unsteady.contains(plan.entries[index].path)
        else { return false }
        return (options.repeats > 1 || options.checksItself)
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
      return true
    } catch {
      complain("the list \(FailureText.quoted(path)): \(error.sentence)", output)
      return false
    }
  }

  /// Whether a file lists transcripts, or else says why not; asked before anything of `named` is played.
  func isList(_ path: String, named: [String], _ output: (String) -> Void) -> Bool {
    do throws(FileProblem) {
      let list = KnownFlaky(path: path, bytes: try FileBytes.read(path))
      guard let problem = list.refusal(named: named, isFolder: Folder.isFolder) else { return true }
      complain(problem, hint: "a list of known flaky transcripts has a path a line", output)
    } catch {
      complain("the list \(FailureText.quoted(path)): \(error.sentence)", output)
    }
    return false
  }
}
