import Testing

@testable import Exploring

/// The sets of hashes of a search, whose memory is bounded.
@Suite struct HashSampleTests {
  private func sample(_ hashes: some Sequence<UInt64>, atMost most: Int) -> HashSample {
    var sample = HashSample(atMost: most)
    for hash in hashes { sample.insert(hash) }
    return sample
  }

  @Test func `a set within its limit is exact`() {
    var sample = sample(1...100, atMost: 100)

    #expect(sample.insert(7) == .known)
    #expect(sample.count == 100 && !sample.isEstimate)
    #expect(sample.insert(101) == .new)
    #expect(sample.isEstimate)
  }

  @Test(arguments: [5_000, 50_000, 400_000])
  func `a larger set stays within its limit and estimates its number`(count: Int) {
    let most = 4_000
    var sample = HashSample(atMost: most)
    var largest = 0
    for number in 0..<count {
      sample.insert(SearchScheduler.hash(of: [number % 100, number / 100]))
      largest = max(largest, sample.hashes.count)
    }

    #expect(largest <= most)
    #expect(sample.isEstimate)
    // Four standard errors.
    #expect(abs(Double(sample.count) / Double(count) - 1) < 0.09)
  }

  @Test(arguments: [[0, 300], [0, 1, 2_000, 2_950], [0, 2_000, 1_000], [0]])
  func `the sample does not depend on the order`(starts: [UInt64]) {
    let whole = sample(0..<3_000, atMost: 256)
    var merged = HashSample(atMost: 256)
    for start in starts { merged.formUnion(sample(start..<3_000, atMost: 256)) }

    #expect(whole.level > 2)
    #expect(merged == whole)
    #expect(sample((0..<3_000).reversed(), atMost: 256) == whole)
  }

  /// Empty findings that soon forget.
  private func findings(atMost most: Int) -> Findings {
    var findings = Findings()
    findings.hashes = HashSample(atMost: most)
    findings.others = UnkeptBehaviours(atMost: most)
    return findings
  }

  /// Each run shows one of this number of behaviours, all with the same probability.
  private func executor(behaviours: Int) -> InProcessExecutor {
    InProcessExecutor { RunOutcome(seen: ["\($0.choose(among: behaviours))"]) }
  }

  private func plan(stopAfter: Int? = nil, until: Double? = nil) -> Exploration.Plan {
    Exploration.Plan(
      .random,
      seeds: 0..<1_000_000,
      stopAfter: stopAfter,
      until: until,
      checkedEvery: nil
    )
  }

  private func search(
    _ runs: Range<Int>,
    behaviours: Int,
    _ plan: Exploration.Plan,
    after found: Findings
  ) -> Findings {
    let seeds = UInt64(runs.lowerBound)..<UInt64(runs.upperBound)
    return executor(behaviours: behaviours).search(
      .seeds(seeds, RunForecast(length: 1)),
      runs: runs.count,
      plan,
      after: found
    ) { _ in true }.findings
  }

  /// The number of entries that grow with the number of runs.
  private func entries(_ findings: Findings) -> Int {
    findings.groups.count + findings.places.count + findings.hashes.hashes.count
      + findings.others.fingerprints.hashes.count + findings.others.singles.count
  }

  @Test func `a search with ever new behaviours has bounded memory`() {
    let most = 2_000
    var found = findings(atMost: most)
    var entries: [Int] = []
    for start in stride(from: 0, to: 60_000, by: 15_000) {
      found = search(start..<start + 15_000, behaviours: 1 << 40, plan(), after: found)
      entries.append(self.entries(found))
    }

    #expect(found.runs == 60_000)
    #expect(found.groups.count == Findings.mostGroups)
    #expect(entries.allSatisfy { $0 <= 2 * Findings.mostGroups + 3 * most })
    #expect((55_000..<65_000).contains(found.schedules) && found.areSchedulesEstimated)
    #expect((55_000..<65_000).contains(found.behaviours) && found.areBehavioursEstimated)
    #expect(found.countedBehaviours.hasPrefix("about "))
    #expect(found.countedBehaviours.hasSuffix("00 behaviours"))
    // Each run of the sample shows a new behaviour.
    #expect(found.newBehaviour.map { $0.probability > 0.9 && $0.upperBound > 0.999 } == true)
  }

  @Test
  func `the estimate of forgotten behaviours is that of remembered ones, and its bound holds`()
    throws
  {
    let behaviours = 20_000
    let exact = search(0..<30_000, behaviours: behaviours, plan(), after: Findings())
    let sampled = search(0..<30_000, behaviours: behaviours, plan(), after: findings(atMost: 1_500))
    let (one, other) = (try #require(exact.newBehaviour), try #require(sampled.newBehaviour))
    let truth = Double(behaviours - exact.behaviours) / Double(behaviours)

    #expect(!exact.areBehavioursEstimated && sampled.areBehavioursEstimated)
    #expect(abs(one.probability - truth) < 0.02)
    #expect(abs(other.probability - one.probability) < 0.03)
    #expect(abs(Double(sampled.behaviours) / Double(exact.behaviours) - 1) < 0.1)
    #expect(truth <= one.upperBound)
    // It is larger, because runs with forgotten behaviours count as new.
    #expect(one.upperBound <= other.upperBound && other.upperBound < 1)
    #expect(sampled.runsInOthers == exact.runsInOthers)
  }

  @Test func `merged parts estimate what the whole search estimates`() {
    let whole = search(0..<20_000, behaviours: 1 << 40, plan(), after: findings(atMost: 1_000))
    var merged = findings(atMost: 1_000)
    for start in stride(from: 0, to: 20_000, by: 5_000) {
      let part = findings(atMost: 1_000)
      merged.append(search(start..<start + 5_000, behaviours: 1 << 40, plan(), after: part))
    }

    #expect(whole.areBehavioursEstimated)
    #expect(merged.hashes == whole.hashes)
    #expect(merged.others == whole.others)
    #expect(merged.newBehaviour == whole.newBehaviour)
  }

  @Test func `a part that forgets is merged with one that remembers`() {
    var found = search(0..<100, behaviours: 1 << 40, plan(), after: findings(atMost: 1_000))
    let part = search(0..<14_000, behaviours: 1 << 40, plan(), after: findings(atMost: 1_000))
    found.append(part)

    #expect(found.hashes == part.hashes)
    #expect(found.areBehavioursEstimated)
    #expect(abs(Double(found.behaviours) / 14_000 - 1) < 0.1)
    // The first hundred behaviours were shown twice.
    #expect(found.groups.prefix(100).allSatisfy { $0.count == 2 })
  }

  @Test func `one more run of a kept behaviour that a part does not keep is counted`() {
    let last = Findings.mostGroups + 1
    func run(_ number: Int) -> Findings {
      Findings(lost: RunOutcome(seen: ["\(number)"]), choices: [number], isRandomised: true)
    }
    var part = Findings()
    for number in 1...last { part.append(run(number)) }
    var found = run(last)
    found.append(part)

    #expect(part.others.count == 1 && part.others.singleCount == 1)
    #expect(found.groups[0].count == 2)
    #expect(found.runsInOthers == 1)
    #expect(found.behaviours == last)
    #expect(found.groups.reduce(found.runsInOthers) { $0 + $1.count } == found.runs)
  }

  /// Runs of a search until a limit, by itself and in parts.
  @Test(arguments: [(400, 0.01), (1_200, 0.05)])
  func `with forgotten behaviours, no search claims that news are unlikely`(
    most: Int,
    limit: Double
  ) {
    // After 10,000 kept behaviours, about 740 others are left.
    let behaviours = 10_740
    let limits = [plan(stopAfter: 300), plan(until: limit)]
    for plan in limits {
      let runs = 80_000
      let whole = search(0..<runs, behaviours: behaviours, plan, after: findings(atMost: most))
      var merged = findings(atMost: most)
      var end: Int?
      for start in stride(from: 0, to: runs, by: 5_000) where end == nil {
        let range = RunRange.seeds(
          UInt64(start)..<UInt64(start + 5_000),
          RunForecast(length: 1)
        )
        let part = search(
          start..<start + 5_000,
          behaviours: behaviours,
          self.plan(),
          after: findings(atMost: most)
        )
        if let stopAfter = plan.stopAfter {
          end = merged.runs(of: part, before: stopAfter).map { merged.runs + $0 }
        } else if let until = plan.until {
          end = merged.runs(of: part, in: range, untilAtMost: until).map { merged.runs + $0 }
        }
        merged.append(part)
      }
      let forgets = most < 740

      #expect(
        whole.end == (forgets ? .budget : plan.until == nil ? .nothingNew : .newBehaviourUnlikely)
      )
      #expect(whole.areBehavioursEstimated == forgets)
      #expect(end == (forgets ? nil : whole.runs))
    }
  }
}
