package import LibC
package import Workers

/// Performs the runs of a search in workers, so that a run that ends its process does not end the
/// search.
package final class WorkerExecutor<Subject: SearchSubject>: SearchExecutor {
  private let pool: SearchPool<Subject>
  /// The reason why the subject cannot be explored, if the default schedule revealed it.
  package private(set) var refusal: Subject.Refusal?
  package let repeatedAtEnd = 100
  /// The runs of groups and failures that ended their process.
  package private(set) var crashes: [Schedule: RunCrash] = [:]
  /// The number of further replays that may exceed the time limit.
  private var hangsLeft = 1
  /// The schedules whose replays exceeded the time limit.
  private var hangs: Set<Schedule> = []
  /// How many more trials may end their worker, because starting another takes time; and how many
  /// of these may exceed the time limit.
  private var trialsLeft = (ends: 200, hangs: 3)
  /// The crashes in trials of each content.
  private var trialCrashes: [Subject.Content: [Schedule: RunCrash]] = [:]

  /// Nil if this process cannot have workers.
  ///
  /// - Parameters:
  ///   - subject: what the runs perform.
  ///   - plan: the settings of the search.
  ///   - jobs: the number of workers.
  ///   - limits: the limits of each worker.
  package init?(_ subject: Subject, _ plan: Exploration.Plan, jobs: Int, _ limits: WorkerLimits) {
    guard let pool = SearchPool(subject, plan, jobs: jobs, limits) else { return nil }
    self.pool = pool
  }

  package var subject: Subject { pool.subject }

  /// The reason why no worker is left, if the system could not start any.
  package var problem: SystemError? { pool.problem }

  /// Number of workers that were killed from outside.
  package var kills: Int { pool.kills }

  /// Called repeatedly while workers are busy.
  package var whileWaiting: () -> Void {
    get { pool.whileWaiting }
    set { pool.whileWaiting = newValue }
  }

  package func runDefaultSchedule(_ plan: Exploration.Plan) -> Findings {
    switch pool.reply(to: .defaultSchedule) {
    case .found(let findings, _): return findings
    case .answer(.refused(let refusal)): self.refusal = refusal
    case .answer: preconditionFailure("A worker must answer the request that it was sent.")
    case .notStarted: break
    case .crashed(let run):
      refusal = subject.refusal(run.crash, isRepeatable: run.isRepeatable)
      if refusal == nil {
        subject.crashesByDefault = true
        noteCrashes()
        return Findings(run, isRandomised: false, continues: plan.continuesAfterFailure)
      }
    }
    return Findings(end: .stopped)
  }

  package func search(
    _ range: RunRange,
    runs: Int,
    _ plan: Exploration.Plan,
    after found: consuming Findings,
    while continues: (Findings) -> Bool
  ) -> (findings: Findings, rest: RunRange) {
    var search = ParallelSearch(range, runs: runs, plan, pool, after: consume found)
    search.run(while: continues)
    noteCrashes()
    return (search.found, search.rest)
  }

  /// Notes the crashes of the search that replays do not repeat.
  private func noteCrashes() {
    crashes = pool.nondeterministic.merging(pool.hangs) { $1 }
    hangs = Set(pool.hangs.keys)
  }

  package func beginReplays() { hangsLeft = 1 }

  package func replay(_ schedule: Schedule) -> ReplayedRun {
    if let crash = crashes[schedule] {
      return ReplayedRun(choices: schedule.choices, counts: [], outcome: crash.outcome)
    }
    guard hangsLeft > 0 else { return .unknown }
    switch pool.reply(to: .replay(schedule)) {
    case .answer(.replayed(let run)): return run
    case .answer, .found: preconditionFailure("A worker must answer the request that it was sent.")
    case .notStarted: return .unknown
    case .crashed(let run):
      guard run.isRepeatable else { return .unknown }
      if run.isHang {
        hangsLeft -= 1
        hangs.insert(schedule)
      }
      crashes[schedule] = run.crash
      return run.replay
    }
  }

  package func replayOutcomes(_ schedules: [Schedule]) -> [RunOutcome] {
    guard hangsLeft > 0 else { return schedules.map { replay($0).outcome } }
    var parallel = ParallelReplay(schedules, knowing: { crashes[$0]?.outcome }, in: pool)
    parallel.run()
    var outcomes = parallel.outcomes
    // The output of a run that ends its process is kept only if it runs alone.
    for place in parallel.ends.sorted() { outcomes[place] = replay(schedules[place]).outcome }
    if let (place, crash) = parallel.hang {
      hangsLeft -= 1
      hangs.insert(schedules[place])
      crashes[schedules[place]] = crash
      outcomes[place] = crash.outcome
    }
    return outcomes
  }

  /// Returns whether the run of a schedule exceeds the time limit.
  package func hangs(_ schedule: Schedule) -> Bool { hangs.contains(schedule) }

  // MARK: Trials

  /// Begins the trials that shorten the content of one failure.
  package func beginTrials() {
    trialsLeft = (200, 3)
    trialCrashes = [:]
  }

  /// The crashes in trials of some content.
  package func crashes(of content: Subject.Content) -> [Schedule: RunCrash] {
    trialCrashes[content] ?? [:]
  }

  /// Performs other content by a schedule. The result is unknown if too many trials have ended
  /// their worker.
  package func perform(
    _ content: Subject.Content,
    by schedule: Schedule,
    while continues: () -> Bool
  ) -> ReplayedRun {
    if let crash = trialCrashes[content]?[schedule] {
      return ReplayedRun(choices: schedule.choices, counts: [], outcome: crash.outcome)
    }
    guard trialsLeft.ends > 0, trialsLeft.hangs > 0, continues() else { return .unknown }
    switch pool.reply(to: .perform(content, schedule)) {
    case .answer(.replayed(let run)): return run
    case .answer, .found: preconditionFailure("A worker must answer the request that it was sent.")
    case .notStarted: return .unknown
    case .crashed(let run):
      trialsLeft.ends -= 1
      if run.isHang { trialsLeft.hangs -= 1 }
      trialCrashes[content, default: [:]][schedule] = run.crash
      trialCrashes[content, default: [:]][run.schedule] = run.crash
      return run.replay
    }
  }
}
