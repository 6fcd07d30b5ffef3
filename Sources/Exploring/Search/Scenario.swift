import Staging

/// Code that runs many times, each time on a new stage: performs a run, and fails it if work is left, waits or never
/// ends.
@MainActor package struct Scenario {
  private let limit: Int
  private let leavesNothing: Bool
  private let mayLeaveSleepers: Bool
  private let keepsTasks: Bool
  private let timeLimit: Duration?
  private let strayCalls: StrayCalls
  private let preemption: Preemption?
  private let body: @MainActor (ExploredRun) async throws -> Void

  /// - Parameters:
  ///   - limit: number of jobs at one instant, and number of instants, after which a run is endless.
  ///   - leavesNothing: whether a run fails if a sleep is left, or a task still waits, when the
  ///     scenario has ended.
  ///   - mayLeaveSleepers: whether sleeps may be left anyway.
  ///   - keepsTasks: whether `waitForAllTasks` is possible, although `leavesNothing` is false; costs time.
  ///   - timeLimit: virtual time after which a run fails if its code has not ended; nil for no limit.
  ///   - strayCalls: receives calls of the run by threads outside of its stage.
  ///   - preemption: where other code may run although the running code does not wait; nil for nowhere.
  ///   - body: the code. It must create everything that it uses.
  package init(
    limit: Int,
    leavesNothing: Bool,
    mayLeaveSleepers: Bool = false,
    keepsTasks: Bool = false,
    timeLimit: Duration? = nil,
    strayCalls: StrayCalls = StrayCalls(),
    preempting preemption: Preemption? = nil,
    body: @escaping @MainActor (ExploredRun) async throws -> Void
  ) {
    self.limit = limit
    self.leavesNothing = leavesNothing
    self.mayLeaveSleepers = mayLeaveSleepers
    self.keepsTasks = keepsTasks || leavesNothing
    self.timeLimit = timeLimit
    self.strayCalls = strayCalls
    self.preemption = preemption
    self.body = body
  }

  /// Performs one run.
  ///
  /// - Parameters:
  ///   - scheduler: chooses its steps.
  ///   - keepsTrace: whether its stage records the steps; costs time and memory.
  /// - Returns: the outcome.
  package func play(_ scheduler: SearchScheduler, keepsTrace: Bool = false) -> RunOutcome {
    let stage = Stage(
      scheduler: scheduler,
      keepsTrace: keepsTrace,
      keepsTasks: keepsTasks || scheduler.keepsTexts,
      keepsOrigins: scheduler.keepsTexts,
      preemptsAtLocks: preemption == .locks
    )
    if stage.preemptsAtLocks, Stage.gapOfPreemption != nil {
      scheduler.missesOrdersOfProgram = true
    }
    let run = ExploredRun(stage: stage, scheduler: scheduler, strayCalls: strayCalls)
    let progress = Progress()
    let task = stage.enter {
      Task { @MainActor in
        do {
          try await body(run)
        } catch {
          run.fail(by: error)
        }
        progress.hasEnded = true
      }
    }
    run.scenarioTask = Stage.id(of: task)
    if leavesNothing, !mayLeaveSleepers { progress.watch = watch(progress, run) }
    var inconclusive = settle(run, progress)
    while inconclusive == nil, !progress.isOver, stage.waitForSubmittedWork() {
      inconclusive = settle(run, progress)
    }
    progress.watch = nil
    let submitted = stage.takeSubmissions().map(\.description)
    let isWaiting = inconclusive == nil && !progress.isOver
    failByDeadlocks(run, of: isWaiting ? task : nil)
    if let call = strayCalls.take().first {
      run.fail(by: Violation(.staysOnStage, .text(call.text)))
    }
    if inconclusive == nil, !progress.isOver {
      run.fail(by: Violation(.returns, .waits(stage.waitingTasks(orOf: task), outside: submitted)))
    }
    if inconclusive == nil, leavesNothing, run.failure == nil { failByWaitingTasks(run, submitted) }
    if inconclusive == nil, run.failure == nil, run.isUndecided {
      inconclusive = ModelUndecided.text
    }
    var outcome = RunOutcome(seen: run.seen, failure: run.failure, inconclusive: inconclusive)
    outcome.openChoices = scheduler.openChoices()
    outcome.sometimes = run.sometimes
    outcome.end = stage.now.elapsed
    let interventions = stage.takeInterventions()
    outcome.unvaried = stage.takeUnvaried()
    // A cancelled request whose answer comes at this moment makes URLSession wait for itself. And code that handles the
    // cancellation may need a lock of an interrupted thread, which does not continue.
    let mayHaveLocks = stage.preemptsAtLocks && stage.hasBlockedThreads
    if submitted.isEmpty, !mayHaveLocks { task.cancel() }
    stage.enter(run.resumeAll)
    stage.close()
    // This thread is outside of the stage, so the cancellation may be noted as an intervention.
    _ = stage.takeInterventions()
    outcome.outside = submitted
    let waits = stage.takeRealWaits() + stage.takeLockWaits()
    for work in interventions + stage.takeSubmissions().map(\.description) + waits
    where !outcome.outside.contains(work) {
      outcome.outside.append(work)
    }
    return outcome
  }

  private final class Progress {
    var hasEnded = false
    /// Whether the code was stopped by its time limit.
    var isLate = false
    var isOver: Bool { hasEnded || isLate }
    /// Looks for work that is left after the scenario has ended.
    var watch: QuietWatch?
  }

  /// Looks for work that is left, at the instant at which the scenario has ended.
  private func watch(_ progress: Progress, _ run: ExploredRun) -> QuietWatch {
    var hasLooked = false
    return run.stage.whenQuiet {
      guard progress.hasEnded, !hasLooked else { return }
      hasLooked = true
      let pending = run.stage.pending
      if !pending.isEmpty {
        let report = run.stage.waitingTasks()
        run.fail(by: Violation(.leavesNoWork, .work("\(pending)", report)))
      }
    }
  }

  /// Fails the run if a blocking call never ends, or if one still waits at the end.
  ///
  /// - Parameters:
  ///   - run: the run.
  ///   - task: the task of the scenario if it still waits; the call may be the reason. Otherwise nil.
  private func failByDeadlocks(_ run: ExploredRun, of task: Task<Void, Never>?) {
    let deadlocks = run.stage.takeDeadlockedCalls()
    let takesBlocked = leavesNothing || task != nil
    let calls = deadlocks + (takesBlocked ? run.stage.takeBlockedCalls() : [])
    guard run.failure == nil, !calls.isEmpty else { return }
    // Not a closure: it would check that the thread is that of the main actor.
    let report =
      if let task { run.stage.waitingTasks(orOf: task) } else { run.stage.waitingTasks() }
    run.fail(by: Violation(.noDeadlock, .blocked(calls, report)))
  }

  /// Fails the run if a task still waits when nothing is left to do. The `submitted` work is outside of virtual time
  /// and may still resume the task.
  private func failByWaitingTasks(_ run: ExploredRun, _ submitted: [String]) {
    guard let report = run.stage.waitingTasks() else {
      return run.fail(by: Violation(.leavesNoWork, .unknownTasks))
    }
    if !report.tasks.isEmpty {
      run.fail(by: Violation(.leavesNoWork, .tasks(report, outside: submitted)))
    }
  }

  /// Runs until nothing is left to do.
  ///
  /// - Returns: the reason why it was stopped before; nil if it was not, or if the run fails by its time limit.
  private func settle(_ run: ExploredRun, _ progress: Progress) -> String? {
    for _ in 0..<limit {
      var timeLeft: Duration?
      if let timeLimit, !progress.hasEnded { timeLeft = timeLimit - run.stage.now.elapsed }
      switch run.stage.settle(within: timeLeft, limit: limit) {
      case .bound(let bound):
        guard case .time = bound.limit, let timeLimit else {
          // Not a closure: it would check that the thread is that of the main actor.
          guard let tasks = run.stage.waitingTasks()?.summary else { return bound.description }
          return "\(bound.description); \(tasks)"
        }
        // Its code has ended, and left other work.
        if progress.hasEnded { continue }
        progress.isLate = true
        run.fail(
          by: Violation(
            rule: "the test ends within its time limit",
            what: "it has not ended after \(timeLimit) of virtual time"
          )
        )
        return nil
      case .interrupted: return "interrupted"
      default:
        if run.stage.enter(run.goOnSettled) { continue }
        guard run.waitsForLeftTasks else { return nil }
        if run.stage.waitForSubmittedWork() { continue }
        let outside = run.stage.submissions.map(\.description)
        run.stage.enter { run.failJoins(outside) }
      }
    }
    return "settled more than \(limit) times"
  }
}
