import Staging

/// Performs the runs of a search in this process, one after the other.
package final class InProcessExecutor: SearchExecutor {
  private let play: (Decisions) -> RunOutcome

  /// - Parameter play: performs one run, on a stage that these decisions direct. Its result depends on them alone.
  package init(_ play: @escaping (Decisions) -> RunOutcome) { self.play = play }

  package func plain(_ plan: Exploration.Plan) -> Findings {
    var findings = Findings()
    let decisions = ListedDecisions(Schedule())
    if let outcome = perform(decisions, plan, &findings), plan.checkedEvery != nil {
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
    switch range {
    case .seeds(let seeds, let length):
      let inTurn = plan.strategy.decisions(length: length)
      search(seeds.prefix(runs), inTurn, plan, &findings, continues)
      return (findings, .seeds(seeds.dropFirst(findings.runs - found.runs), length: length))
    case .tree(let cursor):
      var plan = plan
      plan.strategy = .exhaustive
      let decisions = ExhaustiveDecisions(from: cursor)
      search(0..<UInt64(runs), [decisions], plan, &findings, continues)
      return (findings, .tree(decisions.cursor))
    }
  }

  private func search(
    _ seeds: Range<UInt64>,
    _ inTurn: [Decisions],
    _ plan: Exploration.Plan,
    _ findings: inout Findings,
    _ continues: (Findings) -> Bool
  ) {
    for seed in seeds {
      guard continues(findings) else {
        findings.end = .stopped
        break
      }
      let decisions = inTurn[Int(seed % UInt64(inTurn.count))]
      guard decisions.begin(seed: seed) else {
        findings.end = .complete
        break
      }
      guard let outcome = perform(decisions, plan, &findings) else { break }
      if isChecked(decisions, seed, plan) {
        findings.checked += 1
        if !isRepeatable(outcome, decisions, &findings) { break }
      }
      if let stopAfter = plan.stopAfter, findings.runsSinceNews >= stopAfter {
        findings.end = .nothingNew
        break
      }
    }
    let tree = inTurn.first as? ExhaustiveDecisions
    findings.share = tree?.cursor.share
    // The last run that was allowed may have been the last there is.
    if findings.end == .budget, findings.share == 1 { findings.end = .complete }
    findings.isInOrder = tree != nil
    findings.leavesValuesOut = tree?.leavesValuesOut ?? false
    findings.assumesIsolation = tree?.assumesIsolation ?? false
    findings.missesOrders =
      tree?.missesOrders ?? false || !Stage.hopsAreSchedulingPoints || !Stage.noticesEffects
  }

  /// Performs one run.
  ///
  /// - Returns: its outcome; nil if the search ends with it.
  private func perform(
    _ decisions: Decisions,
    _ plan: Exploration.Plan,
    _ findings: inout Findings
  ) -> RunOutcome? {
    let outcome = play(decisions)
    findings.add(
      outcome,
      decisions,
      isByChance: decisions is RandomDecisions,
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
      case .random, .pct: seed + 1
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
