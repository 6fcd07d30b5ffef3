import Testing

@testable import Exploring

/// The estimate of the probability that one more random run shows a new behaviour.
@Suite struct NewBehaviourTests {
  /// A scenario without a stage, whose behaviours have known probabilities.
  struct Distribution: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var strategy = Strategy.random
    var runs = 300
    /// Performs one run, and returns the number of its behaviour.
    let behaviour: @Sendable (SearchScheduler) -> Int
    /// The probabilities of the behaviours, by their numbers.
    let probabilities: [Double]

    func explore(_ seed: UInt64, _ runs: Int, until: Double? = nil) -> Findings {
      let start = seed << 32
      let plan = Exploration.Plan(
        strategy,
        seeds: start..<start + UInt64(runs),
        until: until,
        checkedEvery: nil
      )
      return Exploration(plan) { RunOutcome(seen: ["\(behaviour($0))"]) }.run()
    }

    /// The probability of the behaviours that no run has shown.
    func missing(in findings: Findings) -> Double {
      var left = probabilities
      for group in findings.groups {
        guard let number = Int(group.outcome.seen[0]) else { continue }
        left[number] = 0
      }
      return left.reduce(0, +)
    }
  }

  private static func coins(_ scheduler: SearchScheduler, atMost most: Int) -> Int {
    (0..<most).first { _ in scheduler.choose(among: 2) == 1 } ?? most
  }

  static let distributions = [
    Distribution(
      testDescription: "60 equal behaviours",
      behaviour: { $0.choose(among: 60) },
      probabilities: Array(repeating: 1 / 60, count: 60)
    ),
    Distribution(
      testDescription: "400 equal behaviours, more than the runs",
      runs: 250,
      behaviour: { $0.choose(among: 400) },
      probabilities: Array(repeating: 1 / 400, count: 400)
    ),
    Distribution(
      testDescription: "behaviours with half of the probability of the one before",
      behaviour: { coins($0, atMost: 30) },
      probabilities: (0..<30).map { 1 / Double(2 << $0) } + [1 / Double(1 << 30)]
    ),
    Distribution(
      testDescription: "one frequent behaviour and 100 rare ones",
      behaviour: { $0.choose(among: 10) < 9 ? 0 : 1 + $0.choose(among: 100) },
      probabilities: [0.9] + Array(repeating: 0.001, count: 100)
    ),
    Distribution(
      testDescription: "two strategies in turn, with equal values",
      strategy: .mixed(changes: 3),
      behaviour: { $0.choose(among: 20) * 5 + $0.choose(among: 5) },
      probabilities: Array(repeating: 0.01, count: 100)
    ),
  ]

  private static let searches: Range<UInt64> = 0..<200

  @Test(arguments: distributions)
  func `the true probability is within the bound in at least 182 of 200 searches`(
    distribution: Distribution
  ) throws {
    var within = 0
    var (estimated, missing, bounds) = (0.0, 0.0, 0.0)
    for seed in Self.searches {
      let findings = distribution.explore(seed, distribution.runs)
      let estimate = try #require(findings.newBehaviour)
      #expect(estimate.probability <= estimate.upperBound)
      bounds += estimate.upperBound / 200
      let truth = distribution.missing(in: findings)
      if truth <= estimate.upperBound { within += 1 }
      estimated += estimate.probability / 200
      missing += truth / 200
    }

    #expect(within >= 182)
    #expect(bounds < 0.99)
    // The mean estimate is close to the mean probability.
    #expect(abs(estimated - missing) < 0.01)
  }

  @Test(arguments: distributions.filter { $0.runs == 300 })
  func `the true probability is within the limit at which the search stopped`(
    distribution: Distribution
  ) {
    var within = 0
    for seed in Self.searches {
      let findings = distribution.explore(seed, 2_000, until: 0.1)
      #expect(findings.end == .newBehaviourUnlikely)
      #expect(findings.newBehaviour.map { $0.upperBound <= 0.1 } == true)
      #expect(findings.runs < 2_000)
      if distribution.missing(in: findings) <= 0.1 { within += 1 }
    }

    #expect(within >= 182)
  }

  @Test func `the estimate counts the behaviours that one random run showed`() throws {
    let findings = Self.distributions[0].explore(7, 100)
    let singles = findings.groups.count { $0.count == 1 && $0.first > 0 }
    let estimate = try #require(findings.newBehaviour)

    #expect(singles > 0)
    #expect(estimate.probability == Double(singles) / 100)
  }

  @Test func `the bound is that of the formula`() {
    // Without news, the mean over all t is (exp(sum) - 1) / sum.
    #expect(abs(NewBehaviourEstimate.largestSum(news: 0, risk: 0.05) - 4.5134) < 0.001)
    // With as many runs as news, nothing is known.
    let bound = { (news: Range<Int>, runs: Int, strategies: Int) in
      NewBehaviourEstimate.upperBound(
        Array(news),
        unplaced: 0,
        runs: runs,
        strategies: strategies
      )
    }
    #expect(bound(0..<50, 50, 1) == 1)
    #expect(bound(0..<1, 0, 1) == 1)
    #expect(bound(0..<1, 1, 2) == 1)
    // Early news do not count for long.
    #expect(bound(0..<50, 100_000, 1) < 0.000_3)
    #expect(bound(0..<50, 100_000, 1) < bound(60_000..<60_050, 100_000, 1))
    #expect(bound(0..<5, 1_000, 1) < bound(0..<5, 1_000, 7))
  }

  @Test func `systematic runs have no estimate`() {
    let systematic = Distribution(
      testDescription: "systematic",
      strategy: .exhaustive,
      behaviour: { $0.choose(among: 50) },
      probabilities: []
    )
    let findings = systematic.explore(0, 20)

    #expect(findings.runs == 21 && findings.end == .budget)
    #expect(findings.newBehaviour == nil)
    #expect(Self.distributions[0].explore(0, 0).newBehaviour == nil)
  }

  @Test func `behaviours of systematic runs are known before the random runs`() throws {
    let plan = Exploration.Plan(.random, seeds: 0..<2_000, checkedEvery: nil)
    let exploration = Exploration(plan) {
      RunOutcome(seen: ["\($0.choose(among: 2) * 1_000 + $0.choose(among: 1_000))"])
    }
    let findings = exploration.run(orAll: true)
    let estimate = try #require(findings.newBehaviour)
    // The systematic runs show the first thousand behaviours.
    let missing = Double(2_000 - findings.behaviours) / 2_000

    #expect(findings.runs == 3_001)
    #expect(missing > 0.1)
    #expect(abs(estimate.probability - missing) < 0.03)
    #expect((missing..<missing + 0.15).contains(estimate.upperBound))
  }

  @Test(arguments: [[100], [1, 2, 99, 250], [150, 299], [0]] as [[UInt64]])
  func `the estimate of merged parts is that of the whole search`(cuts: [UInt64]) {
    let distribution = Self.distributions[3]
    let plan = Exploration.Plan(.random, seeds: 0..<300, checkedEvery: nil)
    let executor = InProcessExecutor { RunOutcome(seen: ["\(distribution.behaviour($0))"]) }
    var merged = executor.runDefaultSchedule(plan)
    for (start, end) in zip([0] + cuts, cuts + [300]) {
      let part = RunRange.seeds(start..<end, RunForecast(length: 1))
      merged.append(
        executor.search(part, runs: Int(end - start), plan, after: Findings()) { _ in true }
          .findings
      )
    }
    let whole = Exploration(plan, in: executor).run()

    #expect(merged.sample == whole.sample)
    #expect(merged.groups.map(\.sample) == whole.groups.map(\.sample))
    #expect(merged.newBehaviour != nil)
    #expect(merged.newBehaviour == whole.newBehaviour)
  }

  @Test(arguments: [50, 100, 250, 1_000])
  func `until ends the search at the same run in any part`(runs: Int) {
    let distribution = Self.distributions[2]
    let plan = Exploration.Plan(.random, seeds: 0..<10_000, checkedEvery: nil)
    let executor = InProcessExecutor { RunOutcome(seen: ["\(distribution.behaviour($0))"]) }
    var limited = plan
    limited.until = 0.02
    let whole = Exploration(limited, in: executor).run()
    var merged = executor.runDefaultSchedule(plan)
    var end: Int?
    for start in stride(from: 0, to: 10_000, by: runs) where end == nil {
      let range = RunRange.seeds(
        UInt64(start)..<UInt64(start + runs),
        RunForecast(length: 1)
      )
      let part = executor.search(range, runs: runs, plan, after: Findings()) { _ in true }.findings
      end = merged.runs(of: part, in: range, untilAtMost: 0.02).map { merged.runs + $0 }
      merged.append(part)
    }

    #expect(whole.end == .newBehaviourUnlikely)
    #expect(end == whole.runs)
  }
}
