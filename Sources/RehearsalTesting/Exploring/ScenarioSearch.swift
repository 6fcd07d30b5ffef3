#if canImport(Testing)
import Exploring
import Synchronization

/// What is asked of a search under `swift test`.
struct ScenarioSearch: Sendable {
  let schedules: Int
  let strategy: Strategy?
  let seed: UInt64
  let stopAfter: Int?

  /// What a search has found.
  struct Outcome {
    let findings: Findings
    /// What is wrong.
    let issues: [ExplorationIssue]
    /// Whether others would wait for ever for what a crash holds.
    var keepsOthersWaiting = false
  }

  /// Searches, and finds what is wrong.
  ///
  /// - Throws: what Swift Testing throws, and an error if the system has no thread left.
  func outcome(_ executor: ThreadExecutor) async throws -> Outcome {
    let player = executor.player
    let thread = RunThread(player.notice) {
      try await player.catchingIssues {
        let findings = run(executor)
        let issues = ExplorationIssue.issues(
          of: findings,
          self,
          trace: player.trace,
          notes: executor.notes
        )
        return Outcome(findings: findings, issues: issues)
      }
    }
    switch await thread.end() {
    case .result(let result): return try result.get()
    case .late: preconditionFailure("It has for ever.")
    case .crash(let signal):
      var findings = executor.findings(of: self, crashedBy: signal)
      Exploration(plan, in: executor).finish(&findings) { !Task.isCancelled }
      let issues = ExplorationIssue.issues(
        of: findings,
        self,
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

  /// Searches until something fails, or a run is inconclusive, or the task is cancelled.
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
