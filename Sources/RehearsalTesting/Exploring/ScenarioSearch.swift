#if canImport(Testing)
import Exploring
import Synchronization

/// A search in a test: its parameters, its thread and its outcome.
struct ScenarioSearch: Sendable {
  let schedules: Int
  let strategy: Strategy?
  let seed: UInt64
  var stopAfter: Int?
  var until: Double?
  /// Whether half of the random runs change runs that showed something new.
  var mutates = false

  /// Why the search performs no run; nil if it performs some.
  var problem: String? {
    if schedules < 1 { return "'schedules' is \(schedules), so nothing is explored" }
    if seed > .max - UInt64(schedules) {
      return "'seed' is \(seed), and no \(schedules) seeds follow it; use a smaller one"
    }
    if let stopAfter, stopAfter < 1 {
      return "'stopAfter' is \(stopAfter), but it is at least 1 run"
    }
    guard let until else { return nil }
    if strategy == .exhaustive {
      return
        "'until' needs random runs, and 'strategy: .exhaustive' has none; use .mixed or another random one"
    }
    return until > 0 && until < 1
      ? nil : "'until' is \(until), and must be above 0 and below 1, such as 0.01"
  }

  /// The result of a search.
  struct Outcome {
    let findings: Findings
    /// The issues to record.
    let issues: [ExplorationIssue]
    /// Whether other tests would wait forever for a lock of the crashed thread.
    var keepsOthersWaiting = false
  }

  /// Makes the thread of the search.
  func start(_ executor: ThreadExecutor) -> RunThread<Outcome> {
    let player = executor.player
    return RunThread(player.notice) {
      try await player.catchingIssues {
        let findings = run(executor)
        let issues = ExplorationIssue.issues(
          of: findings,
          self,
          replayedBy: player.notice.replayCall,
          trace: player.trace,
          explanation: { player.explanation(of: $0) },
          picture: { player.picture(of: $0.schedule) },
          notes: executor.notes
        )
        return Outcome(findings: findings, issues: issues)
      }
    }
  }

  /// Returns the outcome after the thread of the search has ended.
  ///
  /// - Throws: errors of the test library, and an error if the system has no thread left.
  func outcome(_ executor: ThreadExecutor, _ end: RunThread<Outcome>.End) throws -> Outcome {
    switch end {
    case .result(let result): return try result.get()
    case .stopped(let stop):
      var findings = executor.findings(of: self, stoppedBy: stop)
      Exploration(plan, in: executor).finish(&findings) { !Task.isCancelled }
      let issues = ExplorationIssue.issues(
        of: findings,
        self,
        replayedBy: executor.player.notice.replayCall,
        picture: { executor.picture(of: $0.schedule) },
        remarks: executor.remarks,
        notes: executor.notes
      )
      return Outcome(
        findings: findings,
        issues: issues,
        keepsOthersWaiting: executor.keepsOthersWaiting
      )
    }
  }

  var plan: Exploration.Plan {
    // A search with a problem performs no run.
    let (end, isBeyond) = seed.addingReportingOverflow(UInt64(max(0, schedules)))
    var plan = Exploration.Plan(
      strategy ?? .mixed(changes: 3),
      seeds: seed..<(isBeyond ? .max : end),
      stopAfter: stopAfter,
      until: until
    )
    plan.mutates = mutates
    return plan
  }

  /// Searches until a run fails or is inconclusive, or the task is cancelled.
  private func run(_ executor: ThreadExecutor) -> Findings {
    let notice = executor.player.notice
    return Exploration(plan, in: executor).run(orAll: strategy == nil, checksIsolation: true) {
      findings in
      notice.progress.withLock { progress in
        (progress.runs, progress.inOrder) = (findings.runs, findings.runsInOrder)
        progress.isInOrder = findings.isInOrder
      }
      return findings.inconclusiveRuns == 0 && !Task.isCancelled
    } willShrink: { findings in
      notice.progress.withLock { $0.found = findings }
    }
  }
}
#endif
