import RehearsalBase

/// What playing comes to.
extension TranscriptRunner {
  func finish(
    _ plan: RunPlan,
    _ played: PlayedRun,
    _ end: RunEnd?,
    _ problem: String?,
    _ output: (String) -> Void
  ) -> ProgramExit {
    var played = played
    if options.updatesTranscripts {
      played.frames = AcceptedOutput(played.frames, plan.entries).frames
    }
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
    if let pending { played.frames = pending.frames }
    var report = RunReport(
      plan.entries,
      played,
      files,
      isComplete: options.reporters.wantEverything || onReport != nil,
      hasTimes: options.reporters.tellsTimes
    )
    if let shard = options.shard, let digest = plan.digest {
      report.shard = .init(index: shard.index + 1, of: shard.count, digest: digest.text)
      let read = ReadDigests(readings.values.joined(), since: plan.start)
      report.readings = read.digests
      report.notes += read.notes
    }
    report.notes += plan.notes + (pending?.notes ?? [])
    if let seed = options.orderSeed {
      report.notes.append("the order of playing was shuffled; '--order-seed \(seed)' repeats it")
    }
    if let problem { report.problems.append(problem) }
    if let end, let problem = self.problem(of: end, plan, played, report) {
      report.problems.append(problem)
    }
    if played.reason == nil, played.finished < plan.order.files.count {
      report.problems.append(
        "only \(played.finished) of \(plan.order.files.count) files were played to their end"
      )
    }
    let updated = Set(report.updated)
    for entry in plan.entries where entry.hasOtherFences && !updated.contains(entry.path) {
      let problem = "\(FailureText.quoted(entry.path)): \(FileProblem.changed.sentence)"
      report.problems.append(problem)
      report.hints[problem] = "run the test again: its fences were chosen by what it held before"
    }
    if let note = remember(plan, played, files) { report.notes.append(note) }
    var code = ProgramExit.success
    if let path = options.knownFlaky {
      do throws(FileProblem) {
        try judge(&report, plan, files, by: path)
      } catch {
        report.problems.append("the list \(FailureText.quoted(path)): \(error.sentence)")
        code = .usage
      }
    }
    // As parts of a run that are put together have them.
    report.notes.sort(by: NaturalOrder.precedes)
    return max(code, tell(report, whole: onReport?(report, readings), output))
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
    var (report, whole) = (report, whole)
    // A part of a run may well be empty, the whole must not.
    if report.shard == nil {
      if var all = whole {
        let known = all.problems
        all.refuseNothing()
        report.add(problems: all.problems.filter { !known.contains($0) })
        report.hints.merge(all.hints) { first, _ in first }
        whole = all
      } else {
        report.refuseNothing()
        if report.isEmpty { return tellNothing(report, output) }
      }
    }
    let reporters = options.reporters
    return reporters.deliver(report, whole: whole, coverage: options.coverage, output: output)
  }

  /// Forgives what the list of known flaky files names, and fails the run for what it need not name.
  ///
  /// - Throws: why the list cannot be read or written.
  private func judge(
    _ report: inout RunReport,
    _ plan: RunPlan,
    _ files: [PlayedRun.File],
    by path: String
  ) throws(FileProblem) {
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
  }

  /// Checks, before anything of `named` is played, that a file lists transcripts.
  func checkList(_ path: String, named: [String]) throws(RunPlan.Refusal) {
    let list: KnownFlaky
    do throws(FileProblem) {
      list = KnownFlaky(path: path, bytes: try FileBytes.read(path))
    } catch {
      throw RunPlan.Refusal(problems: ["the list \(FailureText.quoted(path)): \(error.sentence)"])
    }
    if let problem = list.refusal(named: named, isFolder: Folder.isFolder) {
      let hint = "a list of known flaky transcripts has a path a line"
      throw RunPlan.Refusal(problems: [problem], hint: hint)
    }
  }
}
