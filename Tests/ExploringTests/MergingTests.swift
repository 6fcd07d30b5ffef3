import Staging
import Testing

@testable import Exploring

/// Merging the findings of the parts of a search.
@MainActor @Suite struct MergingTests {
  /// Four tasks with visible order. About one run in a hundred fails, and one is inconclusive.
  ///
  /// - Parameters:
  ///   - scheduler: chooses the steps.
  ///   - besideSleeper: whether only three tasks run, beside one that sleeps again and again, up to the same instant.
  /// - Returns: the outcome.
  private func play(_ scheduler: SearchScheduler, besideSleeper: Bool = false) -> RunOutcome {
    var order: [Int] = []
    let stage = Stage(scheduler: scheduler)
    stage.enter {
      if besideSleeper {
        Task { for _ in 0..<5 { try await Task.sleep(for: .milliseconds(200)) } }
      }
      for number in 0..<(besideSleeper ? 3 : 4) {
        Task {
          try await Task.sleep(for: .seconds(1))
          order.append(number)
        }
      }
    }
    stage.settle()
    let isWrong = order.prefix(3) == [3, 2, 1]
    var outcome = RunOutcome(
      seen: order.map { "\($0)" },
      failure: isWrong ? Violation(rule: "not backwards", what: "\(order)") : nil,
      inconclusive: order == [1, 3, 2, 0] ? "too long" : nil
    )
    outcome.sometimes = [
      SometimesAssertion("2 is first", heldRuns: order.first == 2 ? 1 : 0),
      SometimesAssertion("5 is first", heldRuns: 0),
    ]
    return outcome
  }

  /// A search in this process, part by part.
  private struct Parts {
    let plan: Exploration.Plan
    let executor: InProcessExecutor

    func runDefaultSchedule() -> Findings { executor.runDefaultSchedule(plan) }

    func part(_ seeds: Range<UInt64>, after plain: Findings) -> Findings {
      executor.search(
        .seeds(seeds, plain.forecast),
        runs: seeds.count,
        plan,
        after: Findings()
      ) { _ in true }.findings
    }

    func part(
      from cursor: SearchCursor,
      runs: Int
    ) -> (findings: Findings, cursor: SearchCursor) {
      let (findings, rest) = executor.search(.tree(cursor), runs: runs, plan, after: Findings()) {
        _ in true
      }
      guard case .tree(let cursor) = rest else { fatalError("A tree is no row of seeds.") }
      return (findings, cursor)
    }
  }

  private func search(_ strategy: Strategy, besideSleeper: Bool = false) -> Parts {
    Parts(
      plan: Exploration.Plan(strategy, checkedEvery: 10, continuesAfterFailure: true),
      executor: InProcessExecutor { scheduler in
        assumingMainActor { play(scheduler, besideSleeper: besideSleeper) }
      }
    )
  }

  /// All findings as text.
  private func text(_ findings: Findings) -> [String] {
    findings.groups.map {
      "\($0.first) \($0.count) \($0.nearest) \($0.schedule) \($0.outcome)"
    } + findings.sometimes.map { "\($0.text) \($0.heldRuns)" }
      + findings.violatedChecks.map { "\($0.check) \($0.count) \($0.nearest) \($0.schedule)" } + [
        "\(findings.runs) \(findings.inconclusiveRuns) \(findings.checked) \(findings.runsSinceNews)",
        "\(findings.schedules) \(findings.guessedSchedules ?? 0) \(findings.mostDecisions)",
        "\(findings.end)",
      ]
  }

  @Test(
    arguments: [Strategy.random, .pct(changes: 2), .pos, .urw, .surw, .mixed(changes: 2)],
    [[100, 200], [1, 2, 3, 299], [150, 150], [7]]
  )
  func `the merged findings of parts equal the findings of the whole search`(
    strategy: Strategy,
    cuts: [UInt64]
  ) {
    let exploration = search(strategy)
    let plain = exploration.runDefaultSchedule()
    var whole = plain
    whole.append(exploration.part(0..<300, after: plain))
    var merged = plain
    for (start, end) in zip([0] + cuts, cuts + [300]) {
      merged.append(exploration.part(start..<end, after: plain))
    }

    #expect(whole.violatedChecks.first.map { $0.count > 1 } == true)
    #expect(text(merged) == text(whole))
  }

  @Test func `the default schedule and the parts make up a search`() {
    let plan = Exploration.Plan(
      .random,
      seeds: 5..<200,
      checkedEvery: 10,
      continuesAfterFailure: true
    )
    let executor = InProcessExecutor { scheduler in assumingMainActor { play(scheduler) } }
    let exploration = Parts(plan: plan, executor: executor)
    let whole = Exploration(plan, in: executor).run()
    var merged = exploration.runDefaultSchedule()
    merged.append(exploration.part(5..<60, after: merged))
    merged.append(exploration.part(60..<200, after: merged))

    #expect(text(merged) == text(whole))
  }

  @Test(arguments: [1, 4, 9], [false, true])
  func `a tree that is split gives the same runs in the same order`(
    runs: Int,
    besideSleeper: Bool
  ) throws {
    let exploration = search(.exhaustive, besideSleeper: besideSleeper)
    let whole = exploration.part(from: SearchCursor(), runs: 100_000).findings
    let (begun, place) = exploration.part(from: SearchCursor(), runs: runs)
    let parts = try #require(place.split())
    var (merged, spine) = (begun, SearchCursor())
    func go(from place: SearchCursor) {
      let (part, end) = exploration.part(from: place, runs: 100_000)
      let before = spine
      spine = end
      spine.absorb(before)
      merged.append(part)
    }
    go(from: parts.first)
    for other in parts.others where spine.needsOthers(at: parts.first.floor - 1) { go(from: other) }
    var rest = parts.rest
    rest.absorb(spine)
    go(from: rest)

    #expect(whole.end == (besideSleeper ? .complete : .partial))
    #expect(whole.groups.count == (besideSleeper ? 6 : 24))
    // The first jobs of the tasks, and their last ones, have 24 orders each. Without the sleeper they have 6.
    #expect(whole.runs == (besideSleeper ? 6 * 6 + 24 * 24 : 24 * 24))
    #expect(text(merged) == text(whole))
  }

  @Test(arguments: [1, 5, 20, 60])
  func `stopAfter ends the search at the same run in any part`(stopAfter: Int) {
    let plan = Exploration.Plan(
      seeds: 0..<2_000,
      stopAfter: stopAfter,
      checkedEvery: 10,
      continuesAfterFailure: true
    )
    let whole = Exploration(plan) { scheduler in assumingMainActor { play(scheduler) } }
    let expected = whole.run()
    let exploration = search(.random)
    var merged = exploration.runDefaultSchedule()
    for start in stride(from: UInt64(0), to: 2_000, by: 50) {
      let part = exploration.part(start..<start + 50, after: merged)
      if let runs = merged.runs(of: part, before: stopAfter) {
        merged.append(exploration.part(start..<start + UInt64(runs), after: merged))
        break
      }
      merged.append(part)
    }

    #expect(expected.end == .nothingNew)
    #expect(text(merged).dropLast() == text(expected).dropLast())
  }

  @Test func `groups that are not kept are counted`() {
    var findings = Findings()
    for number in 0..<Findings.mostGroups + 5 {
      findings.append(
        Findings(lost: RunOutcome(seen: ["\(number)"]), choices: [number], isRandomised: false)
      )
    }
    findings.append(Findings(lost: RunOutcome(seen: ["3"]), choices: [3], isRandomised: false))

    #expect(findings.groups.count == Findings.mostGroups)
    #expect(findings.behaviours == Findings.mostGroups + 5)
    #expect(findings.runsInOthers == 5)
    #expect(findings.groups[3].count == 2)
    #expect(findings.runsSinceNews == 1)
  }

  @Test func `a sum of large numbers does not depend on their order`() {
    let numbers = [1, 0x1p200 - 0x1p148, 3, 0x1p64, 7e300, 12, 0x1p53 - 1]
    var (sum, backwards) = (ExactSum(), ExactSum())
    for number in numbers { sum.add(number) }
    for number in numbers.reversed() { backwards.add(number) }

    #expect(sum == backwards)
    #expect(sum.value == 7e300)
    var small = ExactSum()
    for number in [24.0, 24, 0x1p53, 1] { small.add(number) }
    #expect(small.words == [(1 << 53) + 49])
  }

  @Test(arguments: [(false, [0, 1, 1], 1), (true, [0, 1], 4)])
  func `after the time limit, a failure keeps its schedule and runs once`(
    continues: Bool,
    choices: [Int],
    leastRuns: Int
  ) {
    var findings = Findings()
    findings.add(
      Findings.ViolatedCheck(
        .condition("it works"),
        count: 1,
        schedule: Schedule([0, 1, 1]),
        nearest: 0
      )
    )
    var runs = 0
    findings.shrinkFailures(
      while: { continues },
      { schedule in
        runs += 1
        let isWrong = schedule.choices.dropFirst().first == 1
        return ReplayedRun(
          choices: schedule.choices,
          counts: [2, 2, 2],
          outcome: RunOutcome(
            seen: ["x"],
            failure: isWrong ? Violation(rule: "it works", what: "it does not") : nil
          )
        )
      }
    )

    #expect(findings.failures.map(\.schedule) == [Schedule(choices)])
    #expect(findings.failures.first?.outcome.seen == ["x"])
    #expect(continues ? runs >= leastRuns : runs == leastRuns)
  }
}
