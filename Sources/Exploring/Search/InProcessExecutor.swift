import Staging

/// Performs the runs of a search in this process, one after the other.
package final class InProcessExecutor: SearchExecutor {
  private let play: (SearchScheduler) -> RunOutcome

  /// - Parameter play: performs one run on a stage with this scheduler. The result must depend only
  ///   on the scheduler.
  package init(_ play: @escaping (SearchScheduler) -> RunOutcome) { self.play = play }

  package func runDefaultSchedule(_ plan: Exploration.Plan) -> Findings {
    var findings = Findings()
    let scheduler = ReplayScheduler(Schedule())
    scheduler.census = StepCensus.Taker()
    if let outcome = perform(scheduler, plan, &findings), plan.checkedEvery != nil {
      _ = isRepeatable(outcome, scheduler, &findings)
    }
    findings.census = scheduler.census?.result ?? StepCensus()
    return findings
  }

  package func replay(_ schedule: Schedule) -> ReplayedRun { ReplayedRun(schedule, play) }

  package func search(
    _ range: RunRange,
    runs: Int,
    _ plan: Exploration.Plan,
    after found: consuming Findings,
    while continues: (Findings) -> Bool
  ) -> (findings: Findings, rest: RunRange) {
    let earlier = found.runs
    var findings = consume found
    switch range {
    case .seeds(let seeds, let forecast):
      let inTurn = plan.strategy.schedulers(forecast)
      let mutating = forecast.parents.isEmpty ? nil : MutatingScheduler(forecast.parents)
      search(seeds.prefix(runs), inTurn, mutating, plan, &findings, continues)
      return (findings, .seeds(seeds.dropFirst(findings.runs - earlier), forecast))
    case .tree(let cursor):
      var plan = plan
      plan.strategy = .exhaustive
      let scheduler = ExhaustiveScheduler(from: cursor)
      search(0..<UInt64(runs), [scheduler], nil, plan, &findings, continues)
      return (findings, .tree(scheduler.cursor))
    }
  }

  private func search(
    _ seeds: Range<UInt64>,
    _ inTurn: [SearchScheduler],
    _ mutating: MutatingScheduler?,
    _ plan: Exploration.Plan,
    _ findings: inout Findings,
    _ continues: (Findings) -> Bool
  ) {
    findings.sample.strategies = max(findings.sample.strategies, plan.strategy.countInTurn)
    for seed in seeds {
      guard continues(findings) else {
        findings.end = .stopped
        break
      }
      let changed = mutating.flatMap { MutatingScheduler.isChosen(by: seed) ? $0 : nil }
      let scheduler = changed ?? inTurn[Int(seed % UInt64(inTurn.count))]
      // Only a systematic run knows after its end whether it is checked.
      scheduler.readsOutput =
        plan.readsOutput || plan.strategy == .exhaustive || isChecked(scheduler, seed, plan)
      guard scheduler.begin(seed: seed) else {
        findings.end = .complete
        break
      }
      guard let outcome = perform(scheduler, plan, &findings) else { break }
      if isChecked(scheduler, seed, plan) {
        findings.checked += 1
        if !isRepeatable(outcome, scheduler, &findings) { break }
      }
      if let stopAfter = plan.stopAfter, findings.runsSinceNews >= stopAfter {
        findings.end = .nothingNew
        break
      }
      if let until = plan.until, findings.isNewBehaviourUnlikely(atMost: until) {
        findings.end = .newBehaviourUnlikely
        break
      }
    }
    let tree = inTurn.first as? ExhaustiveScheduler
    findings.share = tree?.cursor.share
    // The last allowed run may also have been the last possible one.
    if findings.end == .budget, findings.share == 1 { findings.end = .complete }
    findings.isInOrder = tree != nil
    findings.leavesValuesOut = tree?.leavesValuesOut ?? false
    findings.assumesIsolation = tree?.assumesIsolation ?? false
    findings.missesOrders =
      tree?.missesOrders ?? false || !Stage.hopsAreSchedulingPoints || !Stage.noticesEffects
      || !Stage.gapsOfToolchain.isEmpty || inTurn.contains(where: \.missesOrdersOfProgram)
  }

  /// Performs one run.
  ///
  /// - Returns: its outcome; nil if the search ends with it.
  private func perform(
    _ scheduler: SearchScheduler,
    _ plan: Exploration.Plan,
    _ findings: inout Findings
  ) -> RunOutcome? {
    let outcome = play(scheduler)
    findings.add(
      outcome,
      scheduler,
      keepsAllFailures: plan.continuesAfterFailure
    )
    if scheduler.hasDrawnRandomNumbers { findings.drawsRandomNumbers = true }
    if outcome.inconclusive == nil, scheduler.hasDiverged {
      findings.nondeterministicSchedule = scheduler.schedule
      findings.end = .nondeterministic
      return nil
    }
    guard outcome.failure != nil, !plan.continuesAfterFailure else { return outcome }
    findings.end = .failure
    return nil
  }

  /// Returns whether a run is performed twice. This must not depend on how a search is divided into
  /// parts, so it depends on the seed, or on the schedule if there is no seed.
  private func isChecked(_ scheduler: SearchScheduler, _ seed: UInt64, _ plan: Exploration.Plan)
    -> Bool
  {
    guard let every = plan.checkedEvery else { return false }
    let number =
      switch plan.strategy {
      case .exhaustive: SearchScheduler.hash(of: scheduler.choices)
      // The strategies alternate.
      case .mixed: seed / UInt64(plan.strategy.countInTurn) + 1
      case .random, .pct, .pos, .urw, .surw: seed + 1
      }
    return number.isMultiple(of: UInt64(every))
  }

  /// Performs the latest run again, and compares. If the outcomes differ, the search ends as nondeterministic.
  private func isRepeatable(
    _ outcome: RunOutcome,
    _ scheduler: SearchScheduler,
    _ findings: inout Findings
  ) -> Bool {
    let schedule = scheduler.schedule
    let repeated = ReplayScheduler(schedule)
    // State that outlives a run may change only its decisions, without a visible effect.
    if play(repeated) == outcome, repeated.choices == scheduler.choices { return true }
    findings.nondeterministicSchedule = schedule
    findings.end = .nondeterministic
    return false
  }
}
