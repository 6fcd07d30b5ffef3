import Exploring
import Staging
import Testing

/// The runs of each strategy, with simple tasks.
@MainActor @Suite struct StrategyTests {
  private func all(
    _ scenario: @escaping @MainActor (ExploredRun) async throws -> Void
  ) -> Findings {
    Exploration.explore(.init(.exhaustive, seeds: 0..<1_000_000), scenario)
  }

  private func shown(_ findings: Findings) -> Set<String> {
    Set(findings.groups.map { $0.outcome.seen.joined(separator: ",") })
  }

  @Test(arguments: 0..<UInt64(12))
  func `mixed runs use the random strategies in turn`(seed: UInt64) throws {
    let run = { (strategy: Strategy) in
      let findings = Exploration.explore(
        .init(strategy, seeds: seed..<seed + 1, continuesAfterFailure: true)
      ) {
        run in
        for number in 0..<6 {
          run.stage.schedule(at: run.stage.now.advanced(by: .seconds(1))) { run.note("\(number)") }
        }
      }
      return findings.groups.map(\.schedule)
    }
    let strategies = [Strategy.random, .pct(changes: 0), .pos, .urw]
    #expect(Set(strategies.map(run)).count > 1)
    #expect(run(.mixed(changes: 0)) == run(strategies[Int(seed % 4)]))
  }

  @Test(arguments: UInt64(3_996)..<4_000)
  func `each kind of mixed runs is sometimes performed twice`(seed: UInt64) {
    let checked = { (seed: UInt64) in
      Exploration.explore(.init(.mixed(changes: 2), seeds: seed..<seed + 1)) { run in
        run.note("1")
      }.checked
    }
    #expect(checked(seed) == 1)
    #expect(checked(seed + 4) == 0)
  }

  @Test(arguments: [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120)])
  func `wake-ups at one instant need one run for each order`(
    count: Int,
    orders: Int
  ) {
    let findings = all { run in
      for number in 0..<count {
        run.stage.schedule(at: run.stage.now.advanced(by: .seconds(1))) { run.note("\(number)") }
      }
    }

    #expect(findings.end == .complete)
    #expect(findings.isInOrder)
    #expect(findings.groups.count == orders)
    // The default schedule is one of them, and runs twice.
    #expect(findings.runs == orders + 1)
  }

  @Test(arguments: [(2, 2), (3, 6), (4, 24)])
  func `sleeps that end together need no more runs than their tasks`(
    count: Int,
    orders: Int
  ) {
    let findings = all { run in
      // Each begins at its own instant, so that only the ends coincide.
      for number in 0..<count {
        Task {
          try await Task.sleep(for: .seconds(10 - number))
          run.note("\(number)")
        }
        try await Task.sleep(for: .seconds(1))
      }
    }

    #expect(findings.end == .complete)
    #expect(findings.groups.count == orders)
    #expect(findings.runs <= orders + 1)
  }

  @Test(arguments: 1...5)
  func `a systematic search knows how probable its schedules are`(runs: UInt64) throws {
    // Each begins at its own instant, so that only the six orders of their ends are possible.
    let findings = Exploration.explore(.init(.exhaustive, seeds: 0..<runs)) { run in
      for number in 0..<3 {
        Task {
          try await Task.sleep(for: .seconds(10 - number))
          run.note("\(number)")
        }
        try await Task.sleep(for: .seconds(1))
      }
    }

    let share = try #require(findings.share)
    #expect(abs(share - Double(runs) / 6) < 1e-9)
  }

  private actor Log {
    private(set) var last = 0

    /// Stores a number, and returns the previous one.
    func set(_ number: Int) -> Int {
      defer { last = number }
      return last
    }
  }

  /// The stage does not see the call: the task sleeps before and after it.
  @Test func `code in an idle actor is not treated as independent`() {
    let findings = all { run in
      let log = Log()
      // Each begins at its own instant, so that only their wake-ups have several orders.
      for number in 1...2 {
        Task.detached {
          try await Task.sleep(for: .seconds(3 - number))
          _ = await log.set(number)
          try await Task.sleep(for: .seconds(1))
        }
        try await Task.sleep(for: .seconds(1))
      }
      try await Task.sleep(for: .seconds(9))
      run.note("\(await log.last)")
    }

    #expect(findings.end == .complete)
    #expect(shown(findings) == ["1", "2"])
  }

  /// As in a model that stores its fetched value: the task returns to the main actor.
  @Test func `an actor that a task enters on its way back counts, too`() {
    @concurrent func fetch(_ number: Int, _ log: Log) async throws -> Int {
      try await Task.sleep(for: .seconds(3 - number))
      return await log.set(number)
    }
    let findings = all { run in
      let log = Log()
      for number in 1...2 {
        Task { run.note("\(number) after \(try await fetch(number, log))") }
        try await Task.sleep(for: .seconds(1))
      }
    }

    #expect(findings.end == .complete)
    #expect(
      shown(findings) == [
        "1 after 0,2 after 1", "2 after 1,1 after 0", "2 after 0,1 after 2", "1 after 2,2 after 0",
      ]
    )
  }

  @Test func `an actor that the default schedule does not show is entered in all orders`() {
    let findings = all { run in
      let log = Log()
      guard run.choose([false, true]) else { return }
      for number in 1...2 { Task { run.note("\(number) after \(await log.set(number))") } }
    }

    #expect(findings.end == .complete)
    #expect(Set(shown(findings)).count == 5)
  }

  /// The two halves of each task may interleave with those of the others in any way.
  @Test(arguments: [(1, 1), (2, 6), (3, 90)])
  func `tasks that yield need no actor to interleave`(count: Int, orders: Int) {
    let findings = all { run in
      for number in 0..<count {
        Task {
          await Task.yield()
          run.note("\(number)")
        }
      }
    }

    #expect(findings.end == .complete)
    #expect(findings.groups.count == (1...count).reduce(1, *))
    #expect(findings.runs == orders + 1)
  }

  /// The ways to wait in a loop. Each keeps other tasks from running as long as it is preferred.
  enum Waiting: CaseIterable {
    case yielding
    case sleepingForNothing
    case sleepingOnTheStagesClock
    case wakingEachOther
  }

  private static func wait(
    _ waiting: Waiting,
    _ run: ExploredRun,
    while isTooSoon: @escaping @MainActor () -> Bool
  ) async throws {
    switch waiting {
    case .yielding: while isTooSoon() { await Task.yield() }
    case .sleepingForNothing: while isTooSoon() { try await Task.sleep(for: .zero) }
    case .sleepingOnTheStagesClock:
      while isTooSoon() { try await run.stage.clock.sleep(for: .zero) }
    case .wakingEachOther:
      while isTooSoon() { await Task { await Task {}.value }.value }
    }
  }

  nonisolated private static let strategies = [
    Strategy.random, .pct(changes: 3), .mixed(changes: 3), .exhaustive,
  ]

  @Test(arguments: strategies, Waiting.allCases)
  func `a loop that waits ends under every strategy`(
    strategy: Strategy,
    waiting: Waiting
  ) {
    let findings = Exploration.explore(.init(strategy, seeds: 0..<200)) { run in
      var count = 0
      for _ in 0..<4 { Task { count += 1 } }
      try await Self.wait(waiting, run) { count < 4 }
      run.note("\(count)")
    }

    #expect(
      findings.inconclusiveRuns == 0,
      "\(findings.groups.map { $0.outcome.inconclusive ?? "" })"
    )
    #expect(findings.failures.isEmpty)
    #expect(shown(findings) == ["4"])
  }

  @Test(arguments: strategies, Waiting.allCases)
  func `a loop waits for a sleep that ends at the same instant`(
    strategy: Strategy,
    waiting: Waiting
  ) {
    let findings = Exploration.explore(.init(strategy, seeds: 0..<20)) { run in
      var hasEnded = false
      let wait = Task {
        try await Task.sleep(for: .seconds(1))
        try await Self.wait(waiting, run) { !hasEnded }
      }
      let sleep = Task {
        try await Task.sleep(for: .seconds(1))
        hasEnded = true
      }
      try await sleep.value
      try await wait.value
    }

    #expect(findings.inconclusiveRuns == 0)
    #expect(findings.failures.isEmpty)
  }

  @Test(arguments: strategies)
  func `two loops that wait for each other run in turn`(strategy: Strategy) {
    let findings = Exploration.explore(.init(strategy, seeds: 0..<200)) { run in
      var turn = 0
      for number in 0..<2 {
        Task {
          while turn < 6 {
            while turn < 6, turn % 2 != number { await Task.yield() }
            turn += 1
          }
        }
      }
    }

    #expect(findings.inconclusiveRuns == 0)
  }

  @Test func `a search that bounds a yielding task is not complete`() {
    let findings = all { run in
      var count = 0
      for _ in 0..<2 { Task { count += 1 } }
      while count < 2 { await Task.yield() }
    }

    #expect(findings.end == .partial)
    #expect(findings.missesOrders)
  }

  @Test func `orders of a task that only sleeps are tried last, but all are tried`() {
    let findings = all { run in
      var count = 0
      Task {
        while count < 5 {
          try await Task.sleep(for: .seconds(1))
          count += 1
        }
      }
      for number in 0..<2 {
        Task {
          try await Task.sleep(for: .seconds(4))
          run.note("\(number) at \(count)")
        }
      }
    }

    #expect(findings.end == .complete)
    let seen = findings.groups.map { $0.outcome.seen.joined(separator: ", ") }
    // The default schedule comes before the first pass.
    #expect(seen.first == "0 at 3, 1 at 3")
    #expect(Set(seen.dropFirst().prefix(2)) == ["0 at 4, 1 at 4", "1 at 4, 0 at 4"])
    #expect(Set(seen.dropFirst(3)) == ["0 at 3, 1 at 4", "1 at 3, 0 at 4", "1 at 3, 0 at 3"])
  }

  @Test func `values of a range are not assumed to be equally probable`() {
    let row = SearchCursor.Node(count: 5, first: 0, areInARow: true)
    let other = SearchCursor.Node(count: 2, first: 0)

    #expect(SearchCursor(nodes: [other], isAhead: false).share == 0.5)
    #expect(SearchCursor(nodes: [other, row], isAhead: false).share == nil)
  }

  @Test func `a task that is cancelled at the instant of its wake-up wakes or does not`() {
    let findings = all { run in
      let sleeping = Task {
        do {
          try await Task.sleep(for: .seconds(1))
          run.note(Task.isCancelled ? "woken, and cancelled" : "woken")
        } catch {
          run.note("cancelled")
        }
      }
      run.stage.schedule(at: run.stage.now.advanced(by: .seconds(1))) { sleeping.cancel() }
    }

    #expect(findings.end == .complete)
    #expect(shown(findings) == ["woken", "woken, and cancelled", "cancelled"])
  }

  @Test func `a cancelled sleep on the stage's clock has the same three ends`() {
    let findings = all { run in
      let clock = run.stage.clock
      let sleeping = Task {
        do {
          try await clock.sleep(for: .seconds(1))
          run.note(Task.isCancelled ? "woken, and cancelled" : "woken")
        } catch {
          run.note("cancelled")
        }
      }
      Task {
        try await clock.sleep(for: .seconds(1))
        sleeping.cancel()
      }
    }

    #expect(shown(findings) == ["woken", "woken, and cancelled", "cancelled"])
  }

  @Test(arguments: [Strategy.random, .pct(changes: 2), .exhaustive])
  func `every strategy finds all orders of a few tasks, repeatably`(strategy: Strategy) {
    let scenario = { @MainActor @Sendable (run: ExploredRun) in
      for number in 0..<3 { Task { run.note("\(number)") } }
    }
    let plan = Exploration.Plan(strategy, seeds: 0..<200)
    let (first, second) = (
      Exploration.explore(plan, scenario), Exploration.explore(plan, scenario)
    )

    #expect(first.groups.count == 6)
    #expect(first.groups.map(\.schedule) == second.groups.map(\.schedule))
    #expect(first.groups.map(\.count) == second.groups.map(\.count))
  }

  @Test func `every schedule that was tried replays to the same result`() {
    let scenario = { @MainActor @Sendable (run: ExploredRun) in
      for number in 0..<4 {
        Task {
          run.note("\(number) begins")
          try await Task.sleep(for: .seconds(1))
          run.note("\(number) ends")
        }
      }
    }
    let findings = Exploration.explore(.init(seeds: 0..<300), scenario)

    #expect(findings.groups.count > 100)
    for group in findings.groups {
      #expect(Exploration.replay(group.schedule, scenario) == group.outcome)
    }
  }

  @Test func `values are scheduled like orders, and all are tried`() {
    let findings = all { run in
      let answer = run.choose(["200", "503", "reset"])
      let delay = run.choose([1, 2])
      run.note("\(answer) after \(delay)")
    }

    #expect(findings.groups.count == 6)
    #expect(findings.runs == 7)
  }

  @Test func `the number of schedules is estimated from a sample`() throws {
    let findings = Exploration.explore(.init(seeds: 0..<2_000)) { run in
      for number in 0..<5 {
        run.stage.schedule(at: run.stage.now.advanced(by: .seconds(1))) { run.note("\(number)") }
      }
    }

    #expect(findings.guessedSchedules == 120)
    #expect(findings.schedules == 120)
  }
}
