#if canImport(Testing)
import Exploring
import Synchronization

/// A search in a test, with its parameters.
struct ScenarioSearch: Sendable {
  let schedules: Int
  let strategy: Strategy?
  let seed: UInt64
  let stopAfter: Int?

  /// The result of a search.
  struct Outcome {
    let findings: Findings
    /// The issues to record.
    let issues: [ExplorationIssue]
    /// Whether other tests would wait forever for a lock of the crashed thread.
    var keepsOthersWaiting = false
  }

  /// Runs the search.
  ///
  /// - Throws: errors of Swift Testing, and an error if the system has no thread left.
  func outcome(_ executor: ThreadExecutor) async throws -> Outcome {
    let player = executor.player
    let thread = RunThread(player.notice) {
      try await player.catchingIssues {
        let findings = run(executor)
        let issues = ExplorationIssue.issues(
          of: findings,
          self,
          replayedBy: player.notice.replayCall,
          trace: player.trace,
          cause: { player.cause(of: $0) },
          notes: executor.notes
        )
        return Outcome(findings: findings, issues: issues)
      }
    }
    switch await thread.end() {
    case .result(let result): return try result.get()
    case .late: preconditionFailure("A search has no time limit.")
    case .crash(let signal):
      var findings = executor.findings(of: self, crashedBy: signal)
      Exploration(plan, in: executor).finish(&findings) { !Task.isCancelled }
      let issues = ExplorationIssue.issues(
        of: findings,
        self,
        replayedBy: executor.player.notice.replayCall,
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
    let (end, isBeyond) = seed.addingReportingOverflow(UInt64(max(0, schedules)))
    return Exploration.Plan(
      strategy ?? .mixed(changes: 3),
      seeds: seed..<(isBeyond ? .max : end),
      stopAfter: stopAfter
    )
  }

  /// Searches until a run fails or is inconclusive, or the task is cancelled.
  private func run(_ executor: ThreadExecutor) -> Findings {
    let notice = executor.player.notice
    return Exploration(plan, in: executor).run(orAll: strategy == nil, checksIsolation: true) {
      findings in
      notice.progress.withLock { progress in
        (progress.runs, progress.inOrder) = (findings.runs, findings.runsInOrder)
      }
      return findings.inconclusiveRuns == 0 && !Task.isCancelled
    } willShrink: { findings in
      notice.progress.withLock { $0.found = findings }
    }
  }
}
#endif
