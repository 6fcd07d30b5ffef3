import RehearsalBase
import Staging
import Testing

@testable import Exploring

/// How often the random strategies choose each order, and how a search divides its runs among them.
@MainActor @Suite struct SamplingTests {
  private static let runs: UInt64 = 600

  /// Returns how many of the runs show each behaviour.
  private func counts(
    _ strategy: Strategy,
    _ scenario: @escaping @MainActor (ExploredRun) async throws -> Void
  ) -> [String: Int] {
    let plan = Exploration.Plan(
      strategy,
      seeds: 0..<Self.runs,
      checkedEvery: nil,
      continuesAfterFailure: true
    )
    let findings = Exploration.explore(plan, scenario)
    return Dictionary(
      uniqueKeysWithValues: findings.groups.map {
        ($0.outcome.seen.joined(separator: ","), $0.count)
      }
    )
  }

  /// A task with one step beside a task with many: notes how many of these come first.
  private static func shortBesideLong(_ run: ExploredRun) async throws {
    var steps = 0
    let long = Task { @MainActor in
      for _ in 0..<7 {
        steps += 1
        await Task.yield()
      }
    }
    let short = Task { @MainActor in run.note("\(steps)") }
    await long.value
    await short.value
  }

  @Test func `each order is about equally probable in a uniform walk`() {
    let uniform = counts(.urw, Self.shortBesideLong)
    let random = counts(.random, Self.shortBesideLong)
    // Eight places, each with a probability of 1/8. At random, the first has 1/2, and the last 1/128.
    #expect(uniform.count == 8)
    #expect(uniform.values.allSatisfy { (10...150).contains($0) })
    #expect(random["0", default: 0] > 200)
    #expect(random["7", default: 0] < 30)
  }

  @Test func `a uniform walk counts the steps of tasks that do not exist yet`() {
    func scenario(_ run: ExploredRun) async throws {
      var order = ""
      let parent = Task { @MainActor in
        order += "p"
        await Task { @MainActor in
          for _ in 0..<5 {
            order += "c"
            await Task.yield()
          }
        }.value
      }
      let other = Task { @MainActor in order += "o" }
      await parent.value
      await other.value
      run.note("\(order.prefix { $0 != "o" }.count)")
    }
    let last = { (strategy: Strategy) in self.counts(strategy, scenario)["6", default: 0] }
    #expect(last(.urw) > 2 * last(.random))
  }

  private actor Log {
    private(set) var text = ""

    func add(_ name: String) { text += name }
  }

  /// Two tasks use one actor. Each of four others only suspends itself.
  private static func actorBesideBusyTasks(_ run: ExploredRun) async throws {
    let log = Log()
    await withTaskGroup { group in
      group.addTask { await log.add("a") }
      group.addTask {
        for _ in 0..<3 {
          await log.add("b")
          await Task.yield()
        }
      }
      for _ in 0..<4 { group.addTask { for _ in 0..<5 { await Task.yield() } } }
    }
    run.note(await log.text)
  }

  @Test func `a selective walk reaches all orders of an actor's steps`() {
    let counts = counts(.surw, Self.actorBesideBusyTasks)
    #expect(Set(counts.keys) == ["abbb", "babb", "bbab", "bbba"])
    #expect(counts.values.allSatisfy { $0 > 20 })
  }

  @Test(arguments: [Strategy.pos, .urw, .surw])
  func `a seed always gives the same run`(strategy: Strategy) {
    let schedules = { (seed: UInt64) in
      Exploration.explore(.init(strategy, seeds: seed..<seed + 1), Self.actorBesideBusyTasks)
        .groups.map(\.schedule)
    }
    #expect((0..<20).allSatisfy { schedules($0) == schedules($0) })
    #expect(Set((0..<20).map(schedules)).count > 10)
  }

  @Test func `steps of another actor do not bias partial-order sampling`() {
    // Two steps compete for one actor. A busy task beside them does not decide which comes first.
    let first = counts(.pos) { run in
      let (log, other) = (Log(), Log())
      await withTaskGroup { group in
        group.addTask { await log.add("a") }
        group.addTask { await log.add("b") }
        group.addTask {
          for _ in 0..<8 {
            await other.add("c")
            await Task.yield()
          }
        }
      }
      run.note(await log.text)
    }
    #expect(Set(first.keys) == ["ab", "ba"])
    #expect(first.values.allSatisfy { $0 > 200 })
  }

  /// Runs of a search that names the strategy of each run, and fails in one of them.
  private func search(failsIn strategy: String, after number: Int) -> Findings {
    var counts: [String: Int] = [:]
    let exploration = Exploration(.init(.mixed(changes: 0), checkedEvery: nil)) { scheduler in
      var outcome = assumingMainActor {
        Scenario(limit: 1_000, leavesNothing: false) { run in
          let tasks = (0..<6).map { _ in Task { @MainActor in await Task.yield() } }
          for task in tasks { await task.value }
        }.play(scheduler)
      }
      let name = "\(type(of: scheduler))"
      counts[name, default: 0] += 1
      if name == strategy, counts[name] == number {
        outcome.failure = Violation(.returns, .text("planted"))
      }
      return outcome
    }
    return exploration.search(orAll: true)
  }

  @Test(
    arguments: [
      "ExhaustiveScheduler", "RandomScheduler", "PCTScheduler", "POSScheduler",
      "UniformWalkScheduler",
    ],
    [1, 3, 10, 100]
  )
  func `a failure is found as soon as one of five strategies finds it`(
    strategy: String,
    number: Int
  ) {
    let findings = search(failsIn: strategy, after: number)
    #expect(findings.end == .failure)
    // A phase of systematic runs is at most an eighth of those before it.
    #expect(findings.runs <= 5 * number + 5 * (number / 8 + 2))
    #expect(findings.isLastRunSystematic == (strategy == "ExhaustiveScheduler"))
  }

  @Test func `later runs of pct are as long as the first random ones`() {
    // Only some runs have many decisions.
    var lengths: Set<Int> = []
    let executor = InProcessExecutor { scheduler in
      let isLong = scheduler.choose(among: 2) == 1
      for _ in 0..<(isLong ? 100 : 1) { _ = scheduler.choose(among: 2) }
      if let scheduler = scheduler as? PCTScheduler { lengths.insert(scheduler.length) }
      return RunOutcome(seen: [])
    }
    let plan = Exploration.Plan(.pct(changes: 1), seeds: 0..<40, checkedEvery: nil)
    _ = Exploration(plan, in: executor).search()
    #expect(lengths == [2, 101])
    lengths = []
    let part = SearchPart(of: 0..<80, (1, 2), isNamedBySeeds: false)
    _ = Exploration(plan, part: part, in: executor).search()
    #expect(lengths == [2, 101])
  }
}
