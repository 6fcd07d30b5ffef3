import Staging

/// Performs the runs of a search in this process, one after the other.
package final class InProcessExecutor: SearchExecutor {
  private let play: (Decisions) -> RunOutcome

  /// - Parameter play: performs one run, on a stage that these decisions direct. Its result depends on them alone.
  package init(_ play: @escaping (Decisions) -> RunOutcome) { self.play = play }

  package func plain(_ plan: Exploration.Plan) -> Findings {
    var findings = Findings()
    let decisions = ListedDecisions(Schedule())
    if let outcome = perform(decisions, seed: nil, plan, &findings), plan.checkedEvery != nil {
      _ = isRepeatable(outcome, decisions, &findings)
    }
    return findings
  }

  package func search(
    _ plan: Exploration.Plan,
    after found: Findings,
    length: Int,
    while continues: (Findings) -> Bool
  ) -> Findings {
    let range = RunRange(plan, length: length)
    return perform(range, runs: plan.seeds.count, plan, after: found, while: continues).findings
  }

  package func replay(_ schedule: Schedule) -> ReplayedRun { ReplayedRun(schedule, play) }

  /// Performs the first runs of a range.
  ///
  /// - Parameters:
  ///   - range: which runs.
  ///   - runs: the maximum number of runs.
  ///   - plan: what all parts of the search have in common.
  ///   - found: the findings of earlier runs.
  ///   - continues: asked before each run.
  /// - Returns: the findings, and the rest of the range.
  package func perform(
    _ range: RunRange,
    runs: Int,
    _ plan: Exploration.Plan,
    after found: Findings = Findings(),
    while continues: (Findings) -> Bool = { _ in true }
  ) -> (findings: Findings, rest: RunRange) {
    var findings = found
    var plan = plan
    let schedulers: SchedulerSequence
    let seeds: Range<UInt64>
    switch range {
    case .seeds(let all, let length):
      schedulers = SchedulerSequence(plan.strategy, length: length)
      seeds = all.prefix(runs)
    case .tree(let cursor):
      plan.strategy = .exhaustive
      schedulers = SchedulerSequence(from: cursor)
      seeds = 0..<UInt64(runs)
    }
    search(seeds, schedulers, plan, &findings, continues)
    switch range {
    case .seeds(let all, let length):
      return (findings, .seeds(all.dropFirst(findings.runs - found.runs), length: length))
    case .tree(let cursor): return (findings, .tree(schedulers.cursor ?? cursor))
    }
  }

  private func search(
    _ seeds: Range<UInt64>,
    _ schedulers: SchedulerSequence,
    _ plan: Exploration.Plan,
    _ findings: inout Findings,
    _ continues: (Findings) -> Bool
  ) {
    for seed in seeds {
      guard continues(findings) else {
        findings.end = .stopped
        break
      }
      guard let decisions = schedulers.next(seed: seed) else {
        findings.end = .complete
        break
      }
      guard let outcome = perform(decisions, seed: seed, plan, &findings) else { break }
      if isChecked(decisions, seed, plan) {
        findings.checked += 1
        if !isRepeatable(outcome, decisions, &findings) { break }
      }
      if let patience = plan.patience, findings.runsSinceNews >= patience {
        findings.end = .nothingNew
        break
      }
    }
    findings.share = schedulers.cursor?.share
    // The last run that was allowed may have been the last there is.
    if findings.end == .budget, findings.share == 1 { findings.end = .complete }
    findings.isInOrder = schedulers.cursor != nil
    findings.leavesValuesOut = schedulers.leavesValuesOut
    findings.assumesIsolation = schedulers.assumesIsolation
    findings.missesOrders =
      schedulers.missesOrders || !Stage.hopsAreSchedulingPoints || !Stage.noticesEffects
  }

  /// Performs one run.
  ///
  /// - Returns: its outcome; nil if the search ends with it.
  private func perform(
    _ decisions: Decisions,
    seed: UInt64?,
    _ plan: Exploration.Plan,
    _ findings: inout Findings
  ) -> RunOutcome? {
    let outcome = play(decisions)
    findings.add(
      outcome,
      decisions,
      isByChance: seed.map(plan.strategy.isByChance) ?? false,
      keepsAllFailures: plan.goesOn
    )
    if outcome.inconclusive == nil, decisions.hasGoneAstray {
      findings.unsteady = decisions.schedule
      findings.end = .unsteady
      return nil
    }
    guard outcome.failure != nil, !plan.goesOn else { return outcome }
    findings.end = .failure
    return nil
  }

  /// Whether a run is performed twice. This must not depend on how a search is cut into parts, so it depends on the seed,
  /// or on the schedule if there is no seed.
  private func isChecked(_ decisions: Decisions, _ seed: UInt64, _ plan: Exploration.Plan) -> Bool {
    guard let every = plan.checkedEvery else { return false }
    let number =
      switch plan.strategy {
      case .exhaustive: Decisions.hash(of: decisions.choices)
      // Both kinds in turn, one after the other.
      case .mixed: seed / 2 + 1
      case .random, .priorities: seed + 1
      }
    return number.isMultiple(of: UInt64(every))
  }

  /// Performs the latest run again, and compares. If the outcomes differ, the search ends as nondeterministic.
  private func isRepeatable(
    _ outcome: RunOutcome,
    _ decisions: Decisions,
    _ findings: inout Findings
  ) -> Bool {
    let schedule = decisions.schedule
    let repeated = ListedDecisions(schedule)
    // State that outlives a run may change its decisions and its duration, and nothing that is seen.
    if play(repeated) == outcome, repeated.choices == decisions.choices { return true }
    findings.unsteady = schedule
    findings.end = .unsteady
    return false
  }
}
