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
    /// Every so many runs, one is done twice and compared; nil for never.
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
  }

  private let plan: Plan
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
  /// - Parameter goOn: asked after each run whether there shall be another.
  /// - Returns: what was found.
  package mutating func run(while goOn: (Findings) -> Bool = { _ in true }) -> Findings {
    let plain = ListedDecisions(Schedule())
    let isEnough = add(plain, run: nil)
    let chooser = Chooser(plan.strategy, length: plain.choices.count)
    var number: UInt64 = 0
    for seed in plan.seeds {
      if isEnough || findings.isNondeterministic { break }
      guard goOn(findings) else {
        findings.end = .stopped
        break
      }
      guard let decisions = chooser.next(seed: seed) else {
        findings.end = .complete
        break
      }
      number += 1
      if add(decisions, run: seed) { break }
      if let patience = plan.patience, findings.runsSinceNews >= patience {
        findings.end = .nothingNew
        break
      }
      if let every = plan.checkedEvery, number % UInt64(every) == 0 { check(decisions) }
    }
    findings.share = chooser.share
    findings.leavesValuesOut = chooser.leavesValuesOut
    shrinkFailures()
    return findings
  }

  /// Looks for the shortest schedule of each rule that was broken.
  private mutating func shrinkFailures() {
    var rules: [String] = []
    for group in findings.groups {
      guard let rule = group.outcome.failure?.rule, !rules.contains(rule) else { continue }
      rules.append(rule)
      let broken = findings.groups.filter { $0.outcome.failure?.rule == rule }
      let nearest = broken.min { $0.schedule.deviations < $1.schedule.deviations } ?? group
      let schedule = Self.shortest(
        nearest.schedule,
        breaking: rule,
        runs: Self.shrinkingRuns,
        play
      )
      findings.failures.append(
        Findings.Failure(
          rule: rule,
          count: broken.reduce(0) { $0 + $1.count },
          schedule: schedule,
          outcome: play(ListedDecisions(schedule))
        )
      )
    }
  }

  private static let shrinkingRuns = 2_000

  /// One run more.
  ///
  /// - Returns: whether the search ends with it.
  private mutating func add(_ decisions: Decisions, run seed: UInt64?) -> Bool {
    let outcome = play(decisions)
    let isByChance = seed != nil && plan.strategy == .random
    findings.add(outcome, decisions, isByChance: isByChance)
    latest = outcome
    guard outcome.failure != nil, !plan.goesOn else { return false }
    findings.end = .failure
    return true
  }

  /// Does the latest run again, and compares.
  private mutating func check(_ decisions: Decisions) {
    let schedule = decisions.schedule
    findings.checked += 1
    guard play(ListedDecisions(schedule)) != latest else { return }
    findings.unsteady = schedule
    findings.end = .unsteady
  }
}

/// Hands out decisions for run after run.
private final class Chooser {
  private enum Kind {
    case random(RandomDecisions)
    case priorities(PriorityDecisions)
    case exhaustive(ExhaustiveDecisions)
  }

  private let kind: Kind

  init(_ strategy: Strategy, length: Int) {
    switch strategy {
    case .random: kind = .random(RandomDecisions(seed: 0))
    case .priorities(let changes):
      kind = .priorities(PriorityDecisions(changes: changes, length: length))
    case .exhaustive: kind = .exhaustive(ExhaustiveDecisions())
    }
  }

  /// The decisions of the next run; nil where there is none.
  func next(seed: UInt64) -> Decisions? {
    switch kind {
    case .random(let decisions):
      _ = decisions.begin()
      decisions.restart(seed: seed)
      return decisions
    case .priorities(let decisions):
      _ = decisions.begin()
      decisions.restart(seed: seed)
      return decisions
    case .exhaustive(let decisions):
      return decisions.begin() ? decisions : nil
    }
  }

  var leavesValuesOut: Bool {
    if case .exhaustive(let decisions) = kind { decisions.leavesValuesOut } else { false }
  }

  /// Which share of all schedules was tried, where that can be told.
  var share: Double? {
    if case .exhaustive(let decisions) = kind { decisions.share } else { nil }
  }
}
