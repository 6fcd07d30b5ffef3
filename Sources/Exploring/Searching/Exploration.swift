import Staging

/// A search through the schedules of one scenario.
public struct Exploration {
  /// What is to be searched, and for how long.
  public struct Plan: Sendable {
    /// How schedules are chosen.
    public var strategy: Strategy
    /// One run for each of these, by chance; with `.exhaustive` as many runs at most.
    public var seeds: Range<UInt64>
    /// How many runs without anything new end the search; nil for no end to patience.
    public var patience: Int?
    /// Every so many runs, one is done twice and compared, and the plain one in any case; nil for never.
    public var checkedEvery: Int?
    /// Whether the search goes on behind the first failure.
    public var goesOn: Bool

    /// A plan; by default 10,000 runs by chance, to the first failure.
    public init(
      _ strategy: Strategy = .random,
      seeds: Range<UInt64> = 0..<10_000,
      patience: Int? = nil,
      checkedEvery: Int? = 1_000,
      goesOn: Bool = false
    ) {
      self.strategy = strategy
      self.seeds = seeds
      self.patience = patience
      self.checkedEvery = checkedEvery
      self.goesOn = goesOn
    }

    /// What comes first where nobody has said how schedules are chosen: a thousand of them, in order.
    package var inOrder: Plan {
      var plan = self
      plan.strategy = .exhaustive
      plan.seeds = 0..<UInt64(min(seeds.count, Self.fewRuns))
      plan.patience = nil
      return plan
    }

    /// How many schedules are tried in order before others are chosen in another way.
    package static let fewRuns = 1_000

    /// Number of random schedules after a search whose only missing orders are those that the isolation assumption
    /// leaves out.
    static let isolationRuns = 100
  }

  private var plan: Plan
  private let play: (Decisions) -> RunOutcome
  private var findings = Findings()
  private var latest: RunOutcome?

  /// - Parameters:
  ///   - plan: what is to be searched.
  ///   - play: one run, on a stage that is directed by these decisions. What it comes to depends on them alone.
  package init(_ plan: Plan, _ play: @escaping (Decisions) -> RunOutcome) {
    self.plan = plan
    self.play = play
  }

  /// Searches, first the plain schedule.
  ///
  /// - Parameters:
  ///   - orAll: whether schedules are tried in order first, a thousand of them; where that is not all, the search goes
  ///     on as planned.
  ///   - checksIsolation: whether random schedules follow if the systematic search is complete only under the
  ///     assumption that tasks share state only through actors. State in a lock or in a stream gives other results in
  ///     them.
  ///   - goOn: asked after each run whether there shall be another.
  ///   - willShrink: told what was found before failures are made short.
  /// - Returns: what was found.
  package mutating func run(
    orAll: Bool = false,
    checksIsolation: Bool = false,
    while goOn: (Findings) -> Bool = { _ in true },
    willShrink: (Findings) -> Void = { _ in }
  ) -> Findings {
    findings = Findings()
    if !addPlain() {
      let length = findings.mostDecisions
      if orAll {
        let planned = plan
        plan = planned.inOrder
        search(plan.seeds, Chooser(.exhaustive, length: length), goOn)
        plan = planned
        if checksIsolation, findings.end == .complete, findings.assumesIsolation {
          checkIsolation(goOn)
        }
      }
      if !orAll || findings.isUndecided {
        let inOrder = findings
        if orAll { findings = inOrder.goingOn }
        search(plan.seeds, Chooser(plan.strategy, length: length), goOn)
        findings = findings.behind(inOrder)
      }
    }
    willShrink(findings)
    findings.shrinkFailures { ReplayedRun($0, play) }
    return findings
  }

  /// Tries random schedules, which assume nothing, after the systematic ones. A new behaviour shows that tasks share
  /// state outside of actors.
  private mutating func checkIsolation(_ goOn: (Findings) -> Bool) {
    let inOrder = findings
    let seeds = plan.seeds.prefix(Plan.isolationRuns)
    let patience = plan.patience
    plan.patience = nil
    findings = inOrder.goingOn
    search(seeds, Chooser(plan.strategy, length: inOrder.mostDecisions), goOn)
    plan.patience = patience
    guard findings.end == .budget else { return }
    findings.end = .complete
    findings.isInOrder = true
    findings.share = inOrder.share
    findings.assumesIsolation = true
    findings.missesOrders = findings.behaviours > inOrder.behaviours
  }

  /// Does the plain run alone.
  package mutating func plain() -> Findings {
    findings = Findings()
    _ = addPlain()
    return findings
  }

  /// The plain run, which is done twice: of a small space it may be the only one that is.
  ///
  /// - Returns: whether the search ends with it.
  private mutating func addPlain() -> Bool {
    let decisions = ListedDecisions(Schedule())
    if add(decisions, run: nil) { return true }
    return plan.checkedEvery != nil && !isSteady(decisions)
  }

  /// Does the runs of some seeds, of which others do those before and behind. Failures are not shrunk.
  ///
  /// - Parameters:
  ///   - seeds: instead of the plan's.
  ///   - length: how many decisions the plain run takes.
  ///   - goOn: asked before each run.
  /// - Returns: what was found, to be appended to what the runs before them have.
  package mutating func part(
    _ seeds: Range<UInt64>,
    length: Int,
    while goOn: (Findings) -> Bool = { _ in true }
  ) -> Findings {
    findings = Findings()
    search(seeds, Chooser(plan.strategy, length: length), goOn)
    return findings
  }

  /// Tries schedules from a place among all of them on. Failures are not shrunk.
  ///
  /// - Parameters:
  ///   - place: where the runs before have come to.
  ///   - runs: how many at most.
  ///   - goOn: asked before each run.
  /// - Returns: what was found, to be appended to what the runs before them have, and where it ended.
  package mutating func part(
    from place: TreePlace,
    runs: Int,
    while goOn: (Findings) -> Bool = { _ in true }
  ) -> (findings: Findings, place: TreePlace) {
    findings = Findings()
    let chooser = Chooser(from: place)
    search(0..<UInt64(runs), chooser, goOn)
    return (findings, chooser.place ?? place)
  }

  private mutating func search(
    _ seeds: Range<UInt64>,
    _ chooser: Chooser,
    _ goOn: (Findings) -> Bool
  ) {
    for seed in seeds {
      guard goOn(findings) else {
        findings.end = .stopped
        break
      }
      guard let decisions = chooser.next(seed: seed) else {
        findings.end = .complete
        break
      }
      if add(decisions, run: seed) { break }
      if isChecked(decisions, seed) {
        findings.checked += 1
        if !isSteady(decisions) { break }
      }
      if let patience = plan.patience, findings.runsSinceNews >= patience {
        findings.end = .nothingNew
        break
      }
    }
    findings.share = chooser.place?.share
    // The last run that was allowed may have been the last there is.
    if findings.end == .budget, findings.share == 1 { findings.end = .complete }
    findings.isInOrder = chooser.place != nil
    findings.leavesValuesOut = chooser.leavesValuesOut
    findings.assumesIsolation = chooser.assumesIsolation
    findings.missesOrders =
      chooser.missesOrders || !Stage.hopsAreSchedulingPoints || !Stage.noticesEffects
  }

  /// One run more.
  ///
  /// - Returns: whether the search ends with it.
  private mutating func add(_ decisions: Decisions, run seed: UInt64?) -> Bool {
    let outcome = play(decisions)
    let isByChance = seed.map(plan.strategy.isByChance) ?? false
    findings.add(
      outcome,
      decisions,
      isByChance: isByChance,
      keepsAllFailures: plan.goesOn
    )
    latest = outcome
    if outcome.inconclusive == nil, decisions.hasGoneAstray {
      findings.unsteady = decisions.schedule
      findings.end = .unsteady
      return true
    }
    guard outcome.failure != nil, !plan.goesOn else { return false }
    findings.end = .failure
    return true
  }

  /// Whether a run is done twice. It must not matter how a search is cut into parts, so it goes by the seed, and
  /// where there is none by the schedule.
  private func isChecked(_ decisions: Decisions, _ seed: UInt64) -> Bool {
    guard let every = plan.checkedEvery else { return false }
    let number =
      switch plan.strategy {
      case .exhaustive: Decisions.hash(of: decisions.choices)
      // Of both kinds in turn, one behind the other.
      case .mixed: seed / 2 + 1
      case .random, .priorities: seed + 1
      }
    return number.isMultiple(of: UInt64(every))
  }

  /// Does the latest run again, and compares.
  ///
  /// - Returns: whether it came to the same.
  private mutating func isSteady(_ decisions: Decisions) -> Bool {
    let schedule = decisions.schedule
    if play(ListedDecisions(schedule)) == latest { return true }
    findings.unsteady = schedule
    findings.end = .unsteady
    return false
  }
}
