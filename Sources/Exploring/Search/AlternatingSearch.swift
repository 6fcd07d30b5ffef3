/// A search that alternates between systematic and random runs, so that it soon finds what any of its strategies soon
/// finds. Each strategy gets an equal share of the runs, until the systematic ones are used up.
///
/// The findings do not depend on the order: those of the systematic runs come first.
struct AlternatingSearch {
  private let executor: any SearchExecutor
  private let plan: Exploration.Plan
  private let systematicPlan: Exploration.Plan
  private var randomRuns: RandomRuns
  /// The findings of the default schedule and the systematic runs.
  private(set) var systematic: Findings
  /// The findings of the random runs between them.
  private var random = Findings()
  private var tree = RunRange.tree(SearchCursor())
  private var seeds: Range<UInt64>
  private var systematicRunsLeft: Int

  /// - Parameters:
  ///   - plan: the strategy of the random runs, and the limits.
  ///   - systematicPlan: the limits of the systematic runs.
  ///   - seeds: the seeds of the random runs.
  ///   - first: the findings of the default schedule.
  ///   - executor: performs the runs.
  init(
    _ plan: Exploration.Plan,
    _ systematicPlan: Exploration.Plan,
    seeds: Range<UInt64>,
    after first: Findings,
    in executor: any SearchExecutor
  ) {
    self.executor = executor
    self.plan = plan
    self.systematicPlan = systematicPlan
    self.seeds = seeds
    randomRuns = RandomRuns(after: first, in: executor)
    systematic = first
    systematicRunsLeft = systematicPlan.seeds.count
  }

  /// The findings so far.
  private var all: Findings {
    guard random.runs > 0 else { return systematic }
    var all = systematic.preparedForRandomRuns
    all.append(random)
    return all
  }

  /// Whether another systematic run may show something.
  private var hasSystematicRuns: Bool {
    systematic.end == .budget && systematicRunsLeft > 0
  }

  /// Performs the systematic runs only.
  ///
  /// - Parameter continues: called repeatedly with the findings so far; returns whether to continue.
  mutating func performSystematicRuns(while continues: (Findings) -> Bool) {
    if hasSystematicRuns { performSystematicRuns(atMost: systematicRunsLeft, while: continues) }
  }

  /// Searches until a failure or the end of the seeds.
  ///
  /// - Parameters:
  ///   - checksIsolation: whether at least `Exploration.Plan.isolationRuns` random runs belong to a systematic search that
  ///     is complete only under the assumption that tasks share state only through actors.
  ///   - continues: called repeatedly with the findings so far; returns whether to continue.
  /// - Returns: the findings. If the systematic search is complete, random runs between its runs repeat some of these, and
  ///   do not count.
  mutating func run(checksIsolation: Bool, while continues: (Findings) -> Bool) -> Findings {
    while hasSystematicRuns {
      let phase = max(1, systematic.runs / 8)
      performSystematicRuns(atMost: phase, while: continues)
      guard systematic.isUndecided else { break }
      performRandomRuns(atMost: phase * plan.strategy.countInTurn, while: continues)
      guard random.end == .budget else { return ended(by: random) }
    }
    if systematic.end == .complete, systematic.assumesIsolation, checksIsolation {
      performRandomRuns(upTo: Exploration.Plan.isolationRuns, while: continues)
      // The plan has too few seeds to look for shared state outside of actors.
      if random.runs < Exploration.Plan.isolationRuns, !random.isStopped {
        systematic.missesOrders = true
      }
      if all.behaviours == systematic.behaviours {
        return random.isStopped ? ended(by: random) : completeWithRandomRuns
      }
    }
    if random.isStopped { return ended(by: random) }
    if systematic.isExhausted, all.behaviours > systematic.behaviours {
      // Tasks share state outside of actors, so that the systematic search has missed orders.
      if systematic.leavesValuesOut { return completeWithRandomRuns }
      systematic.missesOrders = true
    }
    guard systematic.isUndecided else {
      if systematic.isExhausted {
        // They repeat systematic runs, unless one of them shows more.
        return random.outside.isEmpty && random.unvaried.isEmpty && random.inconclusiveRuns == 0
          ? systematic : completeWithRandomRuns
      }
      var all = ended(by: systematic)
      all.isLastRunSystematic = true
      return all
    }
    // The length of later runs may depend on the first random runs, but not on systematic ones.
    performRandomRuns(upTo: Exploration.Plan.isolationRuns, while: continues)
    guard random.end == .budget else { return ended(by: random) }
    var rest = plan
    rest.seeds = seeds
    let base = random.runs > 0 ? all : systematic.preparedForRandomRuns
    return randomRuns.perform(rest, after: base, while: continues).behind(systematic)
  }

  /// The findings with the end of the last phase.
  private func ended(by phase: Findings) -> Findings {
    var all = all
    all.end = phase.end
    return all
  }

  /// The findings after a complete systematic search, with the random runs.
  private var completeWithRandomRuns: Findings {
    var all = ended(by: systematic)
    all.isInOrder = true
    all.share = systematic.share
    all.leavesValuesOut = systematic.leavesValuesOut
    all.assumesIsolation = systematic.assumesIsolation
    all.missesOrders = systematic.missesOrders
    return all
  }

  private mutating func performSystematicRuns(
    atMost runs: Int,
    while continues: (Findings) -> Bool
  ) {
    let earlier = all
    let (part, rest) = executor.search(
      tree,
      runs: min(runs, systematicRunsLeft),
      systematicPlan,
      after: Findings()
    ) { part in
      var shown = earlier
      shown.count(part, isSystematic: true)
      return continues(shown)
    }
    systematic.append(part)
    systematicRunsLeft -= part.runs
    tree = rest
  }

  /// Performs random runs until there are this many, or one of them or a limit ends the search.
  private mutating func performRandomRuns(upTo runs: Int, while continues: (Findings) -> Bool) {
    while random.end == .budget, random.runs < runs, !seeds.isEmpty {
      performRandomRuns(atMost: runs - random.runs, while: continues)
    }
  }

  private mutating func performRandomRuns(atMost runs: Int, while continues: (Findings) -> Bool) {
    let earlier = all
    var phase = plan
    (phase.stopAfter, phase.until) = (nil, nil)
    phase.seeds = seeds.prefix(earlier.runs(beforeLimitOf: plan, atMost: runs))
    let part = randomRuns.perform(phase, after: Findings()) { part in
      var shown = earlier
      shown.count(part, isSystematic: false)
      return continues(shown)
    }
    random.append(part)
    seeds = seeds.dropFirst(part.runs)
    if random.end == .budget, let limit = all.limit(of: plan) { random.end = limit }
  }
}

extension Findings {
  /// Whether a failure, a contradiction or a signal ended the runs.
  fileprivate var isStopped: Bool { [.failure, .nondeterministic, .stopped].contains(end) }

  /// Counts the runs of a part for the display of progress.
  fileprivate mutating func count(_ part: Findings, isSystematic: Bool) {
    if runsInOrder == 0 { runsInOrder = runs }
    if isSystematic { runsInOrder += part.runs }
    isInOrder = isSystematic
    runs += part.runs
    inconclusiveRuns += part.inconclusiveRuns
  }

  /// Returns a number of random runs that may follow before the search looks at a limit of the plan.
  fileprivate func runs(beforeLimitOf plan: Exploration.Plan, atMost most: Int) -> Int {
    var runs = most
    if let stopAfter = plan.stopAfter { runs = min(runs, stopAfter - randomRunsSinceNews) }
    if plan.until != nil {
      runs = (1...max(1, runs)).first { BehaviourSample.isCheckpoint(sample.runs + $0) } ?? runs
    }
    return max(1, runs)
  }

  /// The limit of the plan that the random runs have reached; nil if they have reached none.
  fileprivate func limit(of plan: Exploration.Plan) -> End? {
    if let stopAfter = plan.stopAfter, randomRunsSinceNews >= stopAfter { return .nothingNew }
    guard let until = plan.until, isNewBehaviourUnlikely(atMost: until) else { return nil }
    return .newBehaviourUnlikely
  }

  private var randomRunsSinceNews: Int { sample.runs == 0 ? 0 : runsSinceNews }
}
