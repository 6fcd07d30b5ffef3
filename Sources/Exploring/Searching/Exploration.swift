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
  private let play: (Decisions) throws -> RunOutcome
  private var findings = Findings()

  /// - Parameters:
  ///   - plan: what is to be searched.
  ///   - play: one run, on a stage that is directed by these decisions. What it comes to depends on them alone.
  package init(_ plan: Plan, _ play: @escaping (Decisions) throws -> RunOutcome) {
    self.plan = plan
    self.play = play
  }

  /// Searches, first the plain schedule.
  ///
  /// - Parameter goOn: asked after each run whether there shall be another.
  /// - Returns: what was found.
  /// - Throws: what a run throws that could not be done at all.
  package mutating func run(while goOn: (Findings) -> Bool = { _ in true }) throws -> Findings {
    let plain = ListedDecisions(Schedule())
    let isEnough = try add(plain, run: nil)
    let chooser = Chooser(plan.strategy, length: plain.choices.count)
    var number: UInt64 = 0
    findings.end = .budget
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
      if try add(decisions, run: seed) { break }
      if let patience = plan.patience, findings.runsSinceNews >= patience {
        findings.end = .nothingNew
        break
      }
      if let every = plan.checkedEvery, number % UInt64(every) == 0 { try check(decisions) }
    }
    findings.share = chooser.share
    try shrinkFailures()
    return findings
  }

  private mutating func shrinkFailures() throws {
    for failure in findings.failures {
      let listed = ListedDecisions(failure.schedule)
      let play = play
      var problem: (any Error)?
      var shrinking = Shrinking(runs: Self.shrinkingRuns) { choices in
        listed.restart(choices)
        do {
          let outcome = try play(listed)
          return Shrinking.Attempt(
            choices: listed.choices,
            counts: listed.counts,
            fails: outcome.failure?.rule == failure.outcome.failure?.rule
          )
        } catch {
          problem = error
          return nil
        }
      }
      let schedule = shrinking.shrink(failure.schedule)
      if let problem { throw problem }
      findings.replace(failure, by: schedule, try play(ListedDecisions(schedule)))
    }
  }

  private static let shrinkingRuns = 2_000

  /// One run more.
  ///
  /// - Returns: whether the search ends with it.
  private mutating func add(_ decisions: Decisions, run seed: UInt64?) throws -> Bool {
    let outcome = try play(decisions)
    findings.add(outcome, decisions, seed: seed)
    guard outcome.failure != nil, !plan.goesOn else { return false }
    findings.end = .failure
    return true
  }

  /// Does a run again, and compares.
  private mutating func check(_ decisions: Decisions) throws {
    let schedule = decisions.schedule
    let runs = try (0..<2).map { _ in try play(ListedDecisions(schedule)) }
    findings.checked += 1
    if runs[0] != runs[1] { findings.unsteady = schedule }
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

  /// Which share of all schedules was tried, where that can be told.
  var share: Double? {
    if case .exhaustive(let decisions) = kind { decisions.share } else { nil }
  }
}
