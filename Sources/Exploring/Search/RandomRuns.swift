/// Performs the random runs of a search, one for each seed. The first seeds show how long runs are, and the strategies
/// use this for the other seeds.
///
/// The length depends on the seeds 0 to 31 only, so that all parts of a search use the same one.
struct RandomRuns {
  private static let learning: Range<UInt64> = 0..<32

  private let executor: any SearchExecutor
  /// What the strategies know of their runs.
  private var forecast: RunForecast
  /// The largest number of decisions in the first runs.
  private var mostDecisions = 0
  /// The number of the first seeds that were performed without a gap.
  private var learned: UInt64 = 0

  /// - Parameters:
  ///   - first: the findings of the default schedule.
  ///   - executor: performs the runs.
  init(after first: Findings, in executor: any SearchExecutor) {
    self.executor = executor
    forecast = first.forecast
  }

  /// Performs one run for each seed of a plan.
  ///
  /// - Parameters:
  ///   - plan: the strategy, the seeds and the limits.
  ///   - found: the findings of earlier runs.
  ///   - continues: called repeatedly with the findings so far; returns whether to continue.
  /// - Returns: the findings of all runs.
  mutating func perform(
    _ plan: Exploration.Plan,
    after found: Findings,
    while continues: (Findings) -> Bool
  ) -> Findings {
    guard plan.strategy.usesLength else {
      return searchInPhases(plan, after: found, while: continues)
    }
    var found = found
    var early = plan
    early.seeds = plan.seeds.clamped(to: Self.learning)
    if !early.seeds.isEmpty {
      found = search(early, after: consume found, while: continues)
      if early.seeds.lowerBound == learned { note(found, upTo: early.seeds.upperBound) }
    }
    var rest = plan
    rest.seeds = plan.seeds.dropFirst(early.seeds.count)
    guard found.end == .budget, !rest.seeds.isEmpty else { return found }
    if learned < Self.learning.upperBound {
      let plan = Exploration.Plan(
        plan.strategy,
        seeds: Self.learning,
        checkedEvery: nil,
        continuesAfterFailure: true
      )
      note(search(plan, after: Findings(), while: { _ in true }), upTo: Self.learning.upperBound)
    }
    forecast.length = max(forecast.length, mostDecisions)
    return searchInPhases(rest, after: found, while: continues)
  }

  /// Performs the runs of a plan. If it changes earlier runs, those are the new ones at the beginning of a phase, so that
  /// they do not depend on the number of workers.
  private mutating func searchInPhases(
    _ plan: Exploration.Plan,
    after found: Findings,
    while continues: (Findings) -> Bool
  ) -> Findings {
    guard plan.mutates, plan.strategy != .exhaustive else {
      return search(plan, after: found, while: continues)
    }
    var found = found
    var rest = plan
    repeat {
      var phase = rest
      phase.seeds = rest.seeds.prefix(max(Self.firstPhase, found.runs))
      forecast.parents = found.newRuns(atMost: Self.mostParents)
      found = search(phase, after: consume found, while: continues)
      rest.seeds = rest.seeds.dropFirst(phase.seeds.count)
    } while found.end == .budget && !rest.seeds.isEmpty
    return found
  }

  private static let firstPhase = 100
  /// Maximum number of runs that a phase changes.
  private static let mostParents = 64

  private mutating func note(_ found: Findings, upTo seed: UInt64) {
    learned = seed
    mostDecisions = max(mostDecisions, found.mostDecisions)
  }

  private func search(
    _ plan: Exploration.Plan,
    after found: consuming Findings,
    while continues: (Findings) -> Bool
  ) -> Findings {
    executor.search(
      RunRange(plan, forecast),
      runs: plan.seeds.count,
      plan,
      after: consume found,
      while: continues
    ).findings
  }
}

extension Findings {
  /// Returns the newest behaviours without a failure, each by its run with the fewest deviations.
  fileprivate func newRuns(atMost most: Int) -> [Schedule] {
    // Most groups are not needed, so they are not copied.
    let groups = groups.lazy.reversed()
      .filter { $0.outcome.failure == nil && !$0.schedule.isDefault }
    return groups.prefix(most).map(\.schedule).reversed()
  }
}
