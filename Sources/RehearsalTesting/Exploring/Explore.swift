#if canImport(Testing)
public import Exploring
public import Testing

/// Runs a scenario again and again, each time by another schedule, and records an issue where one of them fails.
///
///     @Test func `the latest search is what is shown`() async throws {
///       try await explore { run in
///         let model = SearchModel { text in
///           try await Task.sleep(for: run.choose([.milliseconds(100), .seconds(1)]))
///           return "all about \(text)"
///         }
///         model.text = "sw"
///         try await Task.sleep(for: .milliseconds(500))
///         model.text = "swift"
///         await run.settle()
///         #expect(model.results == "all about swift")
///       }
///     }
///
/// A schedule says which of several tasks that are ready comes next, and which value `run.choose` takes. Each run is
/// on a stage of its own, in virtual time: waiting takes none, and tasks of other tests, which may run beside it, do
/// not come in between. The scenario is a task on the main actor, and makes everything that it needs anew.
///
/// A run fails where an expectation or `run.check` does, where the scenario throws or crashes, where it never comes to
/// its end, where somebody still sleeps at its end, and where a task waits for ever. The search ends with the first failure; its schedule is made as short
/// as can be, and recorded as one issue at the line of what failed, with what was noted in that run and how to replay
/// it. That the same schedule comes to something else a second time is an issue as well, and so is a run that never
/// settles, since it proves nothing.
///
/// A search has a thread of its own. When it crashes, the thread stays as it is, with all that it holds, its schedule
/// is made short on other threads, of which some are left likewise, and other tests go on. Where nobody could, the
/// process ends, and standard error names the schedule: after a bad access to memory, unless it is beyond the end of the
/// stack; when a thread crashes that the code has made by itself; in the middle of `print`; by `exit`; and where a
/// replay waits for a lock that the crash holds.
///
/// - Parameters:
///   - schedules: how many runs at most, beside the plain one and, without a strategy, a thousand in order.
///   - strategy: how schedules are chosen; nil for a thousand in order, and `.mixed` behind them where these are not all.
///   - seed: the number from which on they are chosen by chance.
///   - stopAfter: number of runs in a row without a new behaviour that ends the search; nil for no limit.
///   - limit: how many jobs at one instant, and how many instants, make a run endless.
///   - mayLeaveWork: whether somebody may still sleep, and tasks may wait for ever, when the scenario has ended.
///   - sourceLocation: where an issue is recorded that has no line of its own.
///   - scenario: the code. Issues that detached tasks record are not seen by the search.
/// - Returns: what was result.
/// - Throws: `CancellationError` where the test is cancelled meanwhile, and an error where there is no test of Swift
///   Testing, as under XCTest or in a detached task, or the system has no thread left.
@concurrent @discardableResult public func explore(
  schedules: Int = 10_000,
  strategy: Strategy? = nil,
  seed: UInt64 = 0,
  stopAfter: Int? = nil,
  limit: Int = 10_000,
  mayLeaveWork: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @MainActor @Sendable (ExploredRun) async throws -> Void
) async throws -> Findings {
  let executor = ThreadExecutor {
    ScenarioPlayer(
      limit: limit,
      mayLeaveWork: mayLeaveWork,
      notice: RunNotice(at: sourceLocation, isCrashIsolated: true),
      scenario
    )
  }
  let search = ScenarioSearch(
    schedules: schedules,
    strategy: strategy,
    seed: seed,
    stopAfter: stopAfter
  )
  let outcome = try await search.outcome(executor)
  if !outcome.keepsOthersWaiting { try Task.checkCancellation() }
  for issue in outcome.issues { issue.record(orAt: sourceLocation) }
  executor.player.warnOfGaps(at: sourceLocation)
  outcome.findings.warnOfUnaskedValues(at: sourceLocation)
  if outcome.keepsOthersWaiting { ThreadExecutor.endTests(at: sourceLocation) }
  return outcome.findings
}

/// Runs a scenario once, by a schedule that a search has found, and records an issue where it fails, or where the
/// schedule does not fit any more. A crash ends the process, so that it is seen where it is.
///
///     try await explore(replaying: "3:1") { run in … }
///
/// - Parameters:
///   - schedule: what the issue of the search says; nothing for the plain run.
///   - limit: how many jobs at one instant, and how many instants, make a run endless.
///   - mayLeaveWork: whether somebody may still sleep, and tasks may wait for ever, when the scenario has ended.
///   - sourceLocation: where an issue is recorded that has no line of its own.
///   - scenario: the code.
/// - Throws: `CancellationError` where the test is cancelled meanwhile, and an error where there is no test of Swift
///   Testing, as under XCTest or in a detached task, or the system has no thread left.
@concurrent public func explore(
  replaying schedule: String,
  limit: Int = 10_000,
  mayLeaveWork: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @MainActor @Sendable (ExploredRun) async throws -> Void
) async throws {
  let player = ScenarioPlayer(
    limit: limit,
    mayLeaveWork: mayLeaveWork,
    notice: RunNotice(at: sourceLocation, isCrashIsolated: false),
    scenario
  )
  let thread = RunThread(player.notice) {
    try await player.catchingIssues { ExplorationIssue.issues(replaying: schedule, player) }
  }
  guard case .result(let result) = await thread.end() else {
    preconditionFailure("A crash ends the process, and it has for ever.")
  }
  let issues = try result.get()
  try Task.checkCancellation()
  for issue in issues { issue.record(orAt: sourceLocation) }
  player.warnOfGaps(at: sourceLocation)
}

extension Findings {
  /// Reports open values that no run asked for, because they were not varied, unless a failure ended the search.
  fileprivate func warnOfUnaskedValues(at location: SourceLocation) {
    guard failures.isEmpty, !isNondeterministic else { return }
    for value in openChoices.unasked {
      Issue.record(
        "not tried, because no run asked for it: \(value.text)",
        severity: .warning,
        sourceLocation: location
      )
    }
  }
}
#endif
