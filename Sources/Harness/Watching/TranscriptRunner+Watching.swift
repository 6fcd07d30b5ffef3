import Workers

extension TranscriptRunner {
  /// Plays everything, and then what each change affects, until somebody has seen enough.
  ///
  /// Only this process's one thread is used, which sleeps while nothing changes.
  ///
  /// - Parameters:
  ///   - paths: files and folders.
  ///   - audience: who is told, and asked what comes next.
  ///   - program: the path of the program that runs, if it shall follow its own changes.
  ///   - output: takes the reports, piece by piece, line feeds included.
  /// - Returns: what the process should end with: whether anything failed when it was played last, or that
  ///   there was nothing to play to begin with, or something is gone that was named.
  package func watch(
    paths: [String],
    audience: any WatchAudience,
    program: String?,
    output: @escaping (String) -> Void
  ) -> ProgramExit {
    let plan: RunPlan
    do throws(RunPlan.Refusal) {
      plan = try self.plan(paths)
    } catch {
      return refuse(error, output)
    }
    if let path = plan.missing.min() {
      complain("\(FailureText.quoted(path)): \(FileProblem.missing.sentence)", output)
      return .usage
    }
    let run = WatchedTranscripts(self, paths: paths, output: output)
    let settings = [options.knownFlaky].compactMap(\.self)
    var loop = WatchLoop(run, audience: audience, settings: settings, program: program)
    return loop.perform()
  }
}

/// Transcripts that are played while somebody works on them.
private struct WatchedTranscripts: WatchedRun {
  private var runner: TranscriptRunner
  private let paths: [String]
  private let output: (String) -> Void
  private let results = Results()
  /// The first time, what failed last may be all that is played.
  private var onlyFailed: Bool

  /// What the newest reports said. Confined to the one thread.
  private final class Results {
    var failing: Set<String> = []
    var readings: [String: [FileReading]] = [:]
    /// The newest result of every transcript.
    var whole: RunReport?
    /// How the program ends, once somebody has stopped a run.
    var stop: ProgramExit?
    /// The exit code of the newest run, if no transcript of it failed.
    var trouble: ProgramExit?
    /// Whether a transcript of the newest run failed.
    var hasFailed = false
    /// Notes about the files that the latest selection leaves out.
    var notes: [String] = []
  }

  init(_ runner: TranscriptRunner, paths: [String], output: @escaping (String) -> Void) {
    self.runner = runner
    self.paths = paths
    self.output = output
    onlyFailed = runner.options.onlyFailed
    self.runner.options.onlyFailed = false
    self.runner.options.followsFiles = true
    self.runner.onReport = { [results] report, readings in
      results.hasFailed = !report.failed.isEmpty
      results.failing.formUnion(report.tests.filter(\.isFailure).map(\.path))
      results.readings = readings
      let whole = results.whole?.adding(report) ?? report
      results.whole = whole
      return whole.lacking(Self.missing(of: paths))
    }
  }

  var missing: [String] { Self.missing(of: paths) }

  private static func missing(of paths: [String]) -> [String] {
    paths.filter { !FileBytes.exists($0) }
  }

  var failing: Set<String> { results.failing }

  var stop: ProgramExit? { results.stop }

  var notes: [String] { results.notes }

  var trouble: ProgramExit? { results.trouble }

  func select() -> (paths: [String], folders: [String], problem: String?) {
    let around = paths.flatMap(Folder.whereChangesShow)
    let plan: RunPlan
    do throws(RunPlan.Refusal) {
      plan = try RunPlan(paths: paths, runner.options)
    } catch {
      // Other than of nothing at all, of what cannot be told apart something is there.
      results.notes = error.isOfNames ? [] : error.problems + [error.hint].compactMap(\.self)
      return ([], around, error.isOfNames ? error.problems.first : nil)
    }
    results.notes = plan.notes
    // A page that a report is written into, among the transcripts, would be a change after each run.
    let reports = ReportFiles(runner.options.reporters, nil)
    let paths = plan.all.filter { path in
      !plan.missing.contains(path) && !(Transcripts.isMarkdown(path) && reports.contains(path))
    }
    return (paths, plan.folders + around, nil)
  }

  mutating func play(
    _ paths: Set<String>,
    gone: [String],
    unless isOutdated: () -> Bool
  ) -> WatchOutcome {
    results.failing.subtract(gone)
    results.whole?.remove(gone)
    results.readings = [:]
    if paths.isEmpty {
      // Files tell of what is gone no more.
      if var whole = results.whole?.lacking(missing) {
        if whole.shard == nil { whole.refuseNothing() }
        _ = runner.options.reporters.deliver(whole, coverage: nil) { _ in }
      }
      return .played([:])
    }
    runner.options.only = paths
    runner.options.onlyFailed = onlyFailed
    defer {
      runner.options.only = nil
      runner.options.onlyFailed = false
    }
    onlyFailed = false
    do throws(RunPlan.Refusal) {
      let plan = try runner.plan(self.paths)
      let (failing, whole) = (results.failing, results.whole)
      results.failing.subtract(paths)
      results.whole?.remove(paths)
      results.hasFailed = false
      guard let exit = runner.run(plan, unless: isOutdated, output) else {
        (results.failing, results.whole) = (failing, whole)
        results.stop = StopSignals.exit
        return .outdated(Set(plan.entries.map(\.path)))
      }
      if exit == .interrupted || exit == .terminated { results.stop = exit }
      results.trouble = results.hasFailed || exit == .success ? nil : exit
    } catch {
      results.trouble = runner.refuse(error, output)
    }
    var readings = Dictionary(uniqueKeysWithValues: paths.map { ($0, [FileReading]()) })
    for path in results.failing { readings[path] = nil }
    return .played(readings.merging(results.readings) { $1 })
  }
}

extension RunReport {
  /// Forgets what became of files.
  fileprivate mutating func remove(_ paths: some Collection<String>) {
    let paths = Set(paths)
    tests.removeAll { paths.contains($0.path) }
    passed = count(of: .passed)
    notPlayed = count(of: .notPlayed)
  }

  /// This report, in which it is said what should have been played and is not there.
  fileprivate func lacking(_ paths: [String]) -> RunReport {
    var result = self
    result.problems += paths.map {
      "\(FailureText.quoted($0)): \(FileProblem.missing.sentence)"
    }
    return result
  }

  /// This report with a newer one about other files. What was said of the run as a whole is said of the newer.
  fileprivate func adding(_ newer: RunReport) -> RunReport {
    var result = newer
    result.tests = (tests + newer.tests).sorted(by: TranscriptResult.precedes)
    result.passed = result.count(of: .passed)
    result.notPlayed = result.count(of: .notPlayed)
    result.others = others.merging(newer.others) { max($0, $1) }
    return result
  }

  private func count(of outcome: TranscriptResult.Outcome) -> Int {
    tests.count { $0.outcome == outcome }
  }
}
