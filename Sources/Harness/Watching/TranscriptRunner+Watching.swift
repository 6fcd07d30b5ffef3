import RehearsalBase
import Workers

/// Runs `test --watch` on transcripts: the selection and the replay after a change, the reports, and the exit code.
extension TranscriptRunner {
  /// Plays everything, then plays again what each change affects, until the user quits.
  ///
  /// Uses only the thread of the caller, which sleeps while nothing changes.
  ///
  /// - Parameters:
  ///   - paths: files and folders.
  ///   - usualPaths: returns the usual folders that exist, which are played if no path is given.
  ///   - audience: shows the progress and returns the requests of the user.
  ///   - program: the path of the running program, if it shall restart after a rebuild.
  ///   - output: receives the reports in pieces, including line feeds.
  /// - Returns: the exit code of the process: whether anything failed when it was played last, there was
  ///   nothing to play at the start, or a named path no longer exists.
  package func watch(
    paths: [String],
    usualPaths: @escaping () -> [String] = { [] },
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
    let run = WatchedTranscripts(self, paths: paths, usualPaths: usualPaths, output: output)
    let settings = [options.knownFlaky].compactMap(\.self)
    var loop = WatchLoop(run, audience: audience, settings: settings, program: program)
    return loop.perform()
  }
}

/// Transcripts that are played again when they change.
private struct WatchedTranscripts: WatchedRun {
  private var runner: TranscriptRunner
  private let allPaths: () -> [String]
  private let output: (String) -> Void
  private let results = Results()
  /// Whether the first run plays only the transcripts that failed last.
  private var onlyFailed: Bool

  /// The results of all runs so far. Confined to one thread.
  private final class Results {
    var newest = WatchedReport()
    /// The files that the transcripts of the newest run read.
    var readings: [String: [FileReading]] = [:]
    /// The exit code after the user stopped a run.
    var stop: ProgramExit?
    /// The exit code of the newest run, if no transcript of it failed.
    var trouble: ProgramExit?
    /// Whether a transcript of the newest run failed.
    var hasFailed = false
    /// The files that the first run left out because they did not fail before it, and its note about them.
    var leftOut: (paths: Set<String>, note: String) = ([], "")
    /// Notes about the files that the newest selection leaves out.
    var notesOfSelection: [String] = []

    var notes: [String] { notesOfSelection + (leftOut.paths.isEmpty ? [] : [leftOut.note]) }
  }

  private var paths: [String] { allPaths() }

  init(
    _ runner: TranscriptRunner,
    paths: [String],
    usualPaths: @escaping () -> [String],
    output: @escaping (String) -> Void
  ) {
    self.runner = runner
    allPaths = { paths + usualPaths().filter { !paths.contains($0) } }
    self.output = output
    onlyFailed = runner.options.onlyFailed
    self.runner.options.onlyFailed = false
    self.runner.options.followsFiles = true
    self.runner.onReport = { [results] report, readings in
      results.hasFailed = !report.failed.isEmpty
      results.readings = readings
      results.newest.add(report)
      return results.newest.complete(notes: results.notes, missing: Self.missing(of: paths))
        ?? report
    }
  }

  var missing: [String] { Self.missing(of: paths) }

  private static func missing(of paths: [String]) -> [String] {
    paths.filter { !FileBytes.exists($0) }
  }

  var failing: Set<String> { results.newest.failing }

  var notReplayed: Set<String> { results.newest.notReplayed }

  var stop: ProgramExit? { results.stop }

  var notes: [String] { results.notes }

  var trouble: ProgramExit? { results.trouble }

  func select() -> (paths: [String], folders: [String], problem: String?) {
    let around = paths.flatMap(Folder.whereChangesShow)
    let plan: RunPlan
    do throws(RunPlan.Refusal) {
      plan = try RunPlan(paths: paths, runner.options)
    } catch {
      // Unless there is nothing at all: files with equal names exist, although they cannot be distinguished.
      results.notesOfSelection =
        error.isOfNames ? [] : error.problems + [error.hint].compactMap(\.self)
      return ([], around, error.isOfNames ? error.problems.first : nil)
    }
    results.notesOfSelection = plan.notes
    // A report that is written into a transcript folder would be a change after each run.
    let reports = ReportFiles(runner.options.reporters, nil)
    let paths = plan.all.filter { path in
      !plan.missing.contains(path) && !(Transcripts.isMarkdown(path) && reports.contains(path))
    }
    return (paths, plan.folders + around, nil)
  }

  func rewriteReports() {
    guard var report = results.newest.complete(notes: notes, missing: missing) else { return }
    if report.isWhole { report.refuseNothing() }
    _ = runner.options.reporters.deliver(report, coverage: nil) { _ in }
  }

  mutating func play(
    _ paths: Set<String>,
    gone: [String],
    unless isOutdated: () -> Bool
  ) -> WatchOutcome {
    results.newest.remove(gone)
    results.leftOut.paths.subtract(paths.union(gone))
    results.readings = [:]
    if paths.isEmpty {
      // Remove the results of deleted files from the report files.
      rewriteReports()
      return .played([:])
    }
    runner.options.only = paths
    runner.options.onlyFailed = onlyFailed
    let isPart = onlyFailed
    defer {
      runner.options.only = nil
      runner.options.onlyFailed = false
    }
    onlyFailed = false
    do throws(RunPlan.Refusal) {
      let plan = try runner.plan(self.paths)
      let before = results.newest
      if isPart { leaveOut(paths.subtracting(plan.entries.map(\.path)), of: paths.count) }
      results.newest.remove(paths)
      results.hasFailed = false
      guard let exit = runner.run(plan, unless: isOutdated, output) else {
        results.newest = before
        results.stop = StopSignals.exit
        return .outdated(Set(plan.entries.map(\.path)))
      }
      if [.interrupted, .quit, .terminated].contains(exit) { results.stop = exit }
      results.trouble = results.hasFailed || exit == .success ? nil : exit
    } catch {
      results.trouble = runner.refuse(error, output)
      if isPart { leaveOut(paths, of: paths.count) } else { results.newest.refuse(paths) }
    }
    var readings = Dictionary(uniqueKeysWithValues: paths.map { ($0, [FileReading]()) })
    for path in failing.union(notReplayed) { readings[path] = nil }
    return .played(readings.merging(results.readings) { $1 })
  }

  /// Notes that the first run leaves out files because they did not fail before it.
  private func leaveOut(_ paths: Set<String>, of count: Int) {
    guard !paths.isEmpty else { return }
    let files = "file".counted(count)
    let note =
      "only transcripts that failed last were selected at first, from \(count - paths.count) of \(files); others are replayed when they change"
    results.leftOut = (paths, note)
  }
}
