import Staging
import Testing

@testable import Exploring

/// Each hop of a task between executors is a scheduling point.
@MainActor struct HopTests {
  private actor Account {
    var balance = 100
    func set(_ new: Int) { balance = new }
    func draw(_ amount: Int) { balance -= amount }
  }

  private enum Form: CaseIterable, Sendable {
    case group, detached, asyncLet, concurrent, taskExecutor
  }

  /// Gives its jobs to the executor of tasks that prefer none.
  private final class ForwardingExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) { globalConcurrentExecutor.enqueue(job) }
  }

  @concurrent private static func draw(from account: Account, atomically: Bool) async {
    if atomically { return await account.draw(10) }
    await account.set(account.balance - 10)
  }

  private static func drawTwice(_ form: Form, atomically: Bool = false, _ run: ExploredRun) async {
    let account = Account()
    switch form {
    case .group:
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask { await draw(from: account, atomically: atomically) }
        }
      }
    case .detached:
      let tasks = (0..<2).map { _ in
        Task.detached { await draw(from: account, atomically: atomically) }
      }
      for task in tasks { await task.value }
    case .asyncLet:
      async let first: Void = draw(from: account, atomically: atomically)
      async let second: Void = draw(from: account, atomically: atomically)
      _ = await (first, second)
    case .concurrent:
      let first = Task { await draw(from: account, atomically: atomically) }
      await draw(from: account, atomically: atomically)
      await first.value
    case .taskExecutor:
      let executor = ForwardingExecutor()
      let tasks = (0..<2).map { _ in
        Task(executorPreference: executor) { await draw(from: account, atomically: atomically) }
      }
      for task in tasks { await task.value }
    }
    run.check(await account.balance == 80, "both are drawn")
  }

  nonisolated private static let strategies: [Strategy] = [
    .random, .pct(changes: 2), .mixed(changes: 2), .exhaustive,
  ]

  @Test(arguments: Form.allCases, strategies)
  private func `an update that another task overwrites is found`(form: Form, strategy: Strategy) {
    let findings = Exploration.explore(Exploration.Plan(strategy, seeds: 0..<1_000)) { run in
      await Self.drawTwice(form, run)
    }
    #expect(findings.failures.map(\.rule) == ["both are drawn"])
    #expect(findings.runs <= 8)
  }

  @Test(arguments: Form.allCases)
  private func `the repaired twin passes in all schedules`(form: Form) {
    let findings = Exploration.explore(Exploration.Plan(.exhaustive)) { run in
      await Self.drawTwice(form, atomically: true, run)
    }
    #expect(findings.end == .complete)
    #expect(findings.failures.isEmpty)
    #expect(findings.runs <= 18)
  }

  @Test(arguments: Form.allCases)
  private func `the lost update has few schedules`(form: Form) {
    let findings = Exploration.explore(Exploration.Plan(.exhaustive, continuesAfterFailure: true)) {
      run in
      await Self.drawTwice(form, run)
    }
    #expect(findings.end == .complete)
    #expect(findings.failures.count == 1)
    #expect(findings.runs <= 100)
  }

  @Test func `hops are scheduling points with this toolchain`() {
    #expect(Stage.hopsAreSchedulingPoints)
  }

  @Test func `a search that left something out is not complete`() {
    func end(_ leaveOut: (inout Findings) -> Void) -> Findings.End {
      var findings = Findings(end: .complete)
      leaveOut(&findings)
      return findings.end
    }
    #expect(end { _ in } == .complete)
    #expect(end { $0.missesOrders = true } == .partial)
    #expect(end { $0.leavesValuesOut = true } == .partial)
    #expect(end { $0.inconclusiveRuns = 1 } == .partial)
    #expect(
      end { $0.openChoices.add(OpenChoice(command: 0, text: "a"), isAsked: false) } == .partial
    )
    #expect(end { $0.outside = ["a queue"] } == .partial)
    #expect(end { $0.unvaried = ["the order of the jobs of another stage"] } == .partial)
    #expect(end { $0.isEndless = true } == .partial)
    #expect(end { $0.hasUnkeptFailures = true } == .partial)
  }

  @Test func `a later part is not complete if the first part has left something out`() {
    func end(_ leaveOut: (inout Findings) -> Void) -> Findings.End {
      var first = Findings(end: .complete)
      leaveOut(&first)
      return first.ofLaterPart.end
    }
    #expect(end { _ in } == .complete)
    #expect(end { $0.missesOrders = true } == .partial)
    #expect(end { $0.inconclusiveRuns = 1 } == .partial)
    #expect(end { $0.outside = ["a queue"] } == .partial)
    #expect(end { $0.unvaried = ["the order of the jobs of another stage"] } == .partial)
    #expect(end { $0.hasUnkeptFailures = true } == .partial)
    #expect(
      end { $0.openChoices.add(OpenChoice(command: 0, text: "a"), isAsked: false) } == .partial
    )
  }

  @Test func `the result says whether it assumes that tasks share state only through actors`() {
    let assuming = Exploration.explore(Exploration.Plan(.exhaustive)) { run in
      await Self.drawTwice(.detached, atomically: true, run)
    }
    #expect(assuming.end == .complete && assuming.assumesIsolation)
    let plain = Exploration.explore(Exploration.Plan(.exhaustive)) { run in
      for number in 0..<2 { Task { run.note("\(number)") } }
    }
    #expect(plain.end == .complete && !plain.assumesIsolation)
  }

  private actor Counter {
    private(set) var value = 0
    func addSlowly(_ stage: Stage) async {
      let old = value
      try? await stage.clock.sleep(for: .seconds(1))
      value = old + 1
    }
    func add() { value += 10 }
  }

  @Test func `a task that wakes on an actor may arrive after a hop`() {
    let findings = Exploration.explore(Exploration.Plan(.exhaustive, continuesAfterFailure: true)) {
      run in
      let counter = Counter()
      await withTaskGroup { group in
        group.addTask { await counter.addSlowly(run.stage) }
        group.addTask {
          try? await run.stage.clock.sleep(for: .seconds(1))
          await counter.add()
        }
      }
      run.note("\(await counter.value)")
    }
    #expect(Set(findings.groups.map(\.outcome.seen)) == [["1"], ["11"]])
  }

  @Test func `a task that is created on an actor is found if it waits forever`() {
    actor Feed {
      private var waiting: CheckedContinuation<Void, Never>?
      func start() { Task { await wait() } }
      private func wait() async { await withCheckedContinuation { waiting = $0 } }
    }
    let findings = Exploration.explore(Exploration.Plan(.random), leavesNothing: true) { _ in
      let feed = Feed()
      await feed.start()
      try await Task.sleep(for: .seconds(1))
    }
    #expect(findings.failures.map(\.rule) == ["no work is left at the end"])
  }

  /// A lock that is an actor, for tasks.
  private actor Lock {
    private var isHeld = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func lock() async {
      if isHeld {
        await withCheckedContinuation { waiting.append($0) }
      } else {
        isHeld = true
      }
    }

    func unlock() {
      if waiting.isEmpty { isHeld = false } else { waiting.removeFirst().resume() }
    }
  }

  private static func takeBoth(_ first: Lock, _ second: Lock) async {
    await first.lock()
    await second.lock()
    await second.unlock()
    await first.unlock()
  }

  @Test(arguments: strategies)
  func `a deadlock of two locks in opposite order is found`(strategy: Strategy) {
    let findings = Exploration.explore(Exploration.Plan(strategy, seeds: 0..<1_000)) { _ in
      let (one, other) = (Lock(), Lock())
      await withTaskGroup { group in
        group.addTask { await Self.takeBoth(one, other) }
        group.addTask { await Self.takeBoth(other, one) }
      }
    }
    #expect(findings.failures.count == 1)
    #expect(findings.runs <= 60)
  }

  @Test func `locks in the same order never deadlock`() {
    let findings = Exploration.explore(Exploration.Plan(.exhaustive)) { _ in
      let (one, other) = (Lock(), Lock())
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { await Self.takeBoth(one, other) } }
      }
    }
    #expect(findings.end == .complete)
    #expect(findings.failures.isEmpty)
    #expect(findings.runs <= 1_482)
  }
}
