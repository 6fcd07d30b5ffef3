#if canImport(Testing)
import Exploring
import Synchronization

/// What is asked of a search under `swift test`.
struct ScenarioSearch: Sendable {
  let schedules: Int
  let strategy: Strategy?
  let seed: UInt64
  let patience: Int?

  /// What a search has found.
  struct Found {
    let findings: Findings
    /// What is wrong.
    let issues: [ExplorationIssue]
    /// What has played the runs.
    let player: ScenarioPlayer
    /// Whether others would wait for ever for what a crash holds.
    var keepsOthersWaiting = false
  }

  /// Searches, and finds what is wrong.
  ///
  /// - Parameter makePlayer: makes one that may crash.
  /// - Returns: both.
  /// - Throws: what Swift Testing throws, and where the system has no thread left.
  func findings(
    _ makePlayer: @escaping () -> ScenarioPlayer
  ) async throws -> Found {
    let player = makePlayer()
    let thread = RunThread(player.notice) {
      try await player.catchingIssues {
        let findings = run(player)
        let issues = ExplorationIssue.issues(
          of: findings,
          self,
          diary: player.diary,
          notes: player.notes
        )
        return Found(findings: findings, issues: issues, player: player)
      }
    }
    switch await thread.end() {
    case .result(let result): return try result.get()
    case .late: preconditionFailure("It has for ever.")
    case .crash(let signal):
      let crash = CrashSearch(makePlayer)
      let findings = crash.findings(of: self, player, signal: signal)
      let issues = ExplorationIssue.issues(
        of: findings,
        self,
        remarks: crash.remarks,
        notes: crash.notes
      )
      return Found(
        findings: findings,
        issues: issues,
        player: player,
        keepsOthersWaiting: crash.keepsOthersWaiting
      )
    }
  }

  /// Searches until something fails, or a run is cut, or the task is cancelled.
  private func run(_ player: ScenarioPlayer) -> Findings {
    let (end, isBeyond) = seed.addingReportingOverflow(UInt64(max(0, schedules)))
    let plan = Exploration.Plan(
      strategy ?? .mixed(changes: 3),
      seeds: seed..<(isBeyond ? .max : end),
      patience: patience
    )
    var exploration = Exploration(plan, player.play)
    return exploration.run(orAll: strategy == nil, checksIsolation: true) { findings in
      player.notice.progress.withLock { progress in
        (progress.runs, progress.inOrder) = (findings.runs, findings.runsInOrder)
      }
      return findings.inconclusiveRuns == 0 && !Task.isCancelled
    } willShrink: { findings in
      player.notice.progress.withLock { $0.found = findings }
    }
  }
}
#endif
