import Dispatch
import Exploring
import Foundation
import Staging
import Synchronization
import Testing

/// The findings of a search, and their text.
@MainActor @Suite struct FindingTests {
  /// Shows the latest answer, even if it belongs to an earlier question.
  @MainActor private final class Search {
    var shown = ""

    func ask(_ question: String, for duration: Duration) {
      Task {
        try await Task.sleep(for: duration)
        shown = question
      }
    }
  }

  private static func staleAnswer(_ run: ExploredRun) async throws {
    let search = Search()
    search.ask("a", for: .seconds(2))
    try await Task.sleep(for: .seconds(1))
    search.ask("ab", for: .seconds(1))
    try await Task.sleep(for: .seconds(2))
    run.check(search.shown == "ab", "the last question is answered", "'\(search.shown)' is shown")
  }

  @Test(arguments: [Strategy.random, .pct(changes: 1), .exhaustive])
  func `a search finds a stale answer, with a short schedule`(strategy: Strategy) throws {
    let findings = Exploration.explore(.init(strategy), Self.staleAnswer)
    let failure = try #require(findings.failures.first)

    #expect(findings.end == .failure)
    #expect(failure.outcome.failure?.what == "'a' is shown")
    #expect(failure.schedule.deviations == 1)
    #expect(Exploration.replay(failure.schedule, Self.staleAnswer) == failure.outcome)
    #expect(Exploration.replay(Schedule(), Self.staleAnswer).failure == nil)
  }

  @Test func `a search with more failures than it keeps reports this and is not complete`() {
    let findings = Exploration.explore(.init(.exhaustive, continuesAfterFailure: true)) { run in
      let number = run.choose(Array(0...1_000))
      run.check(false, "rule \(number)")
    }

    #expect(findings.failures.count == 1_000)
    #expect(findings.hasUnkeptFailures)
    #expect(findings.end == .partial)
  }

  @Test(arguments: [Strategy.random, .exhaustive])
  func `a sometimes counts the runs in which it held`(strategy: Strategy) throws {
    let findings = Exploration.explore(.init(strategy, seeds: 0..<100)) { run in
      let number = run.choose([1, 2, 3])
      run.sometimes(number == 3, "three")
      run.sometimes(number > 3, "more than three")
      for other in 1...3 { run.sometimes(number == other, "any") }
    }
    let held = findings.sometimes.map(\.heldRuns)

    #expect(findings.sometimes.map(\.text) == ["three", "more than three", "any"])
    #expect(held == (strategy == .exhaustive ? [1, 0, 4] : [held[0], 0, 101]))
    #expect((1..<101).contains(held[0]))
    #expect(findings.neverHeld.map(\.text) == ["more than three"])
    #expect(findings.neverHeld.first?.place?.line == #line - 9)
    #expect(findings.end == (strategy == .exhaustive ? .complete : .budget))
  }

  @Test func `a search with more sometimes assertions than it keeps does not hold`() {
    let findings = Exploration.explore(.init(.exhaustive)) { run in
      for number in 0...1_000 { run.sometimes(true, "\(number)") }
    }

    #expect(findings.sometimes.count == 1_000)
    #expect(findings.neverHeld.isEmpty && !findings.holdsSometimes)
  }

  @Test func `an error that a scenario throws is a failure`() {
    struct Refused: Error {}
    let findings = Exploration.explore { _ in throw Refused() }

    #expect(findings.runs == 1)
    #expect(findings.end == .failure)
    #expect(findings.failures.first?.outcome.failure?.what == "Refused()")
  }

  @Test func `a scenario that waits forever is a failure`() {
    let findings = Exploration.explore { _ in
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    #expect(findings.failures.first?.outcome.failure?.rule == "the scenario returns")
  }

  @Test func `a scenario can wait until no other work is left`() {
    let findings = Exploration.explore(.init(.exhaustive)) { run in
      var ended = 0
      for number in 1...3 {
        Task {
          try await Task.sleep(for: .seconds(number % 2))
          ended += 1
        }
      }
      await run.settle()
      run.check(ended == 3, "all have ended")
      run.note("\(run.stage.now)")
    }

    #expect(findings.failures.isEmpty)
    #expect(findings.groups.map(\.outcome.seen) == [["1s"]])
  }

  @Test func `a scenario that settles forever is inconclusive`() throws {
    let outcome = Exploration.replay(Schedule(), limit: 100) { run in
      while true { await run.settle() }
    }

    #expect(outcome.inconclusive == "settled more than 100 times")
  }

  @Test func `work after the end is a failure if no work may be left`() throws {
    let outcome = Exploration.replay(Schedule(), leavesNothing: true) { _ in
      Task { try await Task.sleep(for: .seconds(60)) }
      try await Task.sleep(for: .seconds(1))
    }

    #expect(outcome.failure?.rule == "no work is left at the end")
    let what = outcome.failure?.what
    #expect(
      what?.contains("1 asleep, the first until 60s; task 2 sleeps, in ") == true,
      "\(what ?? "")"
    )
  }

  private static func waitForever() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }

  @Test func `a task that waits forever is a failure unless work may be left`() throws {
    let scenario = { @MainActor @Sendable (_: ExploredRun) in
      _ = Task {}
      _ = Task { await Self.waitForever() }
      _ = Task.detached(name: "sync") { await Self.waitForever() }
    }
    let findings = Exploration.explore(.init(.exhaustive), leavesNothing: true, scenario)
    let failure = try #require(findings.failures.first?.outcome.failure)

    #expect(failure.rule == "no work is left at the end")
    #expect(
      failure.what == """
        the scenario has ended, but nothing resumes 2 tasks that wait: task 3 in FindingTests.waitForever(), \
        'sync' in FindingTests.waitForever(); if this is intended, use 'mayLeaveWork: true'
        """
    )
    #expect(Exploration.explore(.init(.exhaustive), scenario).failures.isEmpty)
  }

  @Test func `a search finds a task with a lost continuation, a waiting child and its parent`() {
    func failure(_ body: @escaping @MainActor @Sendable () async -> Void) -> String? {
      Exploration.replay(Schedule(), leavesNothing: true) { _ in _ = Task { await body() } }
        .failure?.what
    }

    #expect(failure { await Self.waitForever() } != nil)
    #expect(
      failure { await withTaskGroup { $0.addTask { await Self.waitForever() } } }?
        .contains("nothing resumes a task that waits: task 2 in FindingTests.") == true
    )
    let child =
      ", whose child waits in FindingTests.waitForever(); if this is intended, use 'mayLeaveWork: true'"
    #expect(
      failure { await withTaskGroup { $0.addTask { await Self.waitForever() } } }?
        .hasSuffix(child) == true
    )
    #expect(
      failure {
        async let value: Void = Self.waitForever()
        await value
      }?.hasSuffix(child) == true
    )
    #expect(
      failure { await withTaskGroup { $0.addTask { await Self.waitInGroup() } } }?.hasSuffix(
        """
        , whose 3 children wait: 2 in FindingTests.waitForever(), 1 in 'sync' in FindingTests.waitForever(); \
        if this is intended, use 'mayLeaveWork: true'
        """
      ) == true
    )
    #expect(failure { for await _ in AsyncStream<Int>.makeStream().stream {} } != nil)
    #expect(failure { try? await Task.sleep(for: .zero) } == nil)
  }

  /// Waits for three children, while others have ended.
  private static func waitInGroup() async {
    async let value: Void = waitForever()
    await withDiscardingTaskGroup { group in
      group.addTask {}
      group.addTask { await waitForever() }
      group.addTask(name: "sync") { await waitForever() }
    }
    await value
  }

  @Test func `each waiting task is named, or counted with its function`() {
    let outcome = Exploration.replay(Schedule(), leavesNothing: true) { _ in
      for _ in 0..<40 { Task { await Self.waitForever() } }
    }
    #expect(
      outcome.failure?.what.contains("nothing resumes 40 tasks that wait: task 2 in ") == true
    )
    #expect(
      outcome.failure?.what.contains(", and 30 more: 30 in FindingTests.waitForever(); ") == true
    )
  }

  @Test(arguments: [false, true])
  func `a task that begins at once and waits forever is found`(isDetached: Bool) {
    let outcome = Exploration.replay(Schedule(), leavesNothing: true) { _ in
      if isDetached {
        Task.immediateDetached(name: "first") { await Self.waitForever() }
      } else {
        Task.immediate(name: "first") { await Self.waitForever() }
      }
      await Task.immediate {}.value
    }

    #expect(
      outcome.failure?.what == """
        the scenario has ended, but nothing resumes a task that waits: 'first' in FindingTests.waitForever(); \
        if this is intended, use 'mayLeaveWork: true'
        """
    )
  }

  @Test func `a task's name is found among its status records`() {
    let outcome = Exploration.replay(Schedule(), leavesNothing: true) { _ in
      Task(name: "first") {
        await withTaskCancellationHandler {
          await withTaskGroup { $0.addTask { await Self.waitForever() } }
        } onCancel: {
        }
      }
    }

    #expect(outcome.failure?.what.contains("a task that waits: 'first' in ") == true)
  }

  // MARK: Outside of virtual time

  @Test func `a search with work outside of virtual time is never complete`() {
    let findings = Exploration.explore(.init(.exhaustive)) { _ in Thread.detachNewThread {} }

    #expect(findings.end == .partial)
    #expect(findings.outside.count == 1)
    #expect(findings.outside.first?.hasPrefix("Thread in FindingTests.") == true)
  }

  @Test(arguments: [Strategy.random, .pct(changes: 2), .exhaustive])
  func `each run draws the same random numbers, in each task`(strategy: Strategy) {
    let plan = Exploration.Plan(strategy, seeds: 0..<200, continuesAfterFailure: true)
    let all = Draws()
    var orders: Set<[String]> = []
    let findings = Exploration.explore(plan) { _ in
      let draws = Draws()
      await withTaskGroup { group in
        for name in ["a", "b", "c"] {
          group.addTask {
            draws.draw(name)
            await Task.yield()
            draws.draw(name + " later")
          }
        }
      }
      orders.insert(draws.names)
      all.add(draws)
    }

    #expect(findings.outside.isEmpty)
    // The exhaustive search leaves out equivalent orders.
    #expect(orders.count >= 6)
    #expect(Set(all.names).count == 6)
    #expect(Set(all.numbers).count == 6)
    if strategy == .exhaustive { #expect(findings.end == .complete) }
  }

  @Test func `the result says whether code drew random numbers`() {
    let ways: [@Sendable () -> Void] = [
      { _ = Int.random(in: 0..<9) }, { _ = UUID() }, { _ = [1, 2].randomElement() },
      { _ = drand48() },
    ]
    for draw in ways {
      let findings = Exploration.explore(.init(.exhaustive)) { run in
        let decides = run.choose([false, true])
        await Task { if decides { draw() } }.value
      }
      #expect(findings.end == .complete && findings.drawsRandomNumbers)
    }
    let plain = Exploration.explore(.init(.exhaustive)) { run in
      for number in 0..<2 { Task { run.note("\(number) \(Set([number]))") } }
    }
    #expect(plain.end == .complete && !plain.drawsRandomNumbers)
  }

  /// Random numbers, each with the name of the code that has drawn it.
  private final class Draws: Sendable {
    private let list = Mutex<[(name: String, numbers: String)]>([])

    var names: [String] { list.withLock { $0.map(\.name) } }
    var numbers: [String] { list.withLock { $0.map { "\($0.name) \($0.numbers)" } } }

    func draw(_ name: String) {
      let numbers = "\(Int.random(in: 0..<1_000_000)) \((0..<9).shuffled()) \(UUID())"
      list.withLock { $0.append((name, numbers)) }
    }

    func add(_ others: Draws) {
      let others = others.list.withLock(\.self)
      list.withLock { $0 += others }
    }
  }

  @Test func `a failure mentions work outside of virtual time that may resume the task`() throws {
    @MainActor func wait(_ run: ExploredRun) async {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in
        Thread.detachNewThread {}
      }
    }
    let stuck = Exploration.replay(Schedule(), leavesNothing: true) { run in await wait(run) }
    let waiting = Exploration.replay(Schedule(), leavesNothing: true) { run in
      Task { await wait(run) }
    }

    for outcome in [stuck, waiting] {
      let what = try #require(outcome.failure?.what)
      #expect(what.contains("; outside of virtual time, Thread in FindingTests."))
      #expect(what.hasSuffix(" may resume it"))
    }
  }

  @Test func `a task that another thread resumes is named, and the search is not complete`() {
    let findings = Exploration.explore(.init(.exhaustive)) { _ in
      let waiting = Mutex<UnsafeContinuation<Void, Never>?>(nil)
      let helper = Helper()
      Task { helper.resumeOnItsThread(waiting.withLock(\.self)) }
      await withUnsafeContinuation { continuation in waiting.withLock { $0 = continuation } }
    }

    #expect(findings.failures.isEmpty)
    #expect(findings.end == .partial)
    #expect(findings.outside.count == 1)
    #expect(
      findings.outside.first?.hasPrefix("a resumption by another thread in FindingTests.") == true
    )
  }

  @Test func `a task that another thread resumes is named even during an outside operation`() {
    let findings = Exploration.explore(.init(.exhaustive)) { run in
      let waiting = Mutex<UnsafeContinuation<Void, Never>?>(nil)
      let operation = Mutex<UnsafeContinuation<Void, Never>?>(nil)
      let helper = Helper()
      Task {
        await run.stage.outside {
          await withUnsafeContinuation { continuation in
            operation.withLock { $0 = continuation }
            Task { helper.resumeOnItsThread(waiting.withLock(\.self)) }
          }
        }
      }
      await withUnsafeContinuation { continuation in waiting.withLock { $0 = continuation } }
      operation.withLock(\.self)?.resume()
    }

    #expect(findings.failures.isEmpty)
    #expect(findings.outside.count == 1)
    #expect(
      findings.outside.first?.hasPrefix("a resumption by another thread in FindingTests.") == true
    )
  }

  @Test(arguments: [false, true])
  func `the end of an outside operation is not reported`(isInChild: Bool) {
    let findings = Exploration.explore(.init(.exhaustive)) { run in
      let helper = Helper()
      @Sendable func wait() async {
        await withUnsafeContinuation { continuation in
          Task { helper.resumeOnItsThread(continuation) }
        }
      }
      await run.stage.outside {
        guard isInChild else { return await wait() }
        async let child: Void = wait()
        await child
      }
    }

    #expect(findings.failures.isEmpty)
    #expect(findings.outside == [])
  }

  /// A thread that belongs to no stage.
  private final class Helper: Sendable {
    private let continuation = Mutex<UnsafeContinuation<Void, Never>?>(nil)
    private let begins = DispatchSemaphore(value: 0)
    private let ends = DispatchSemaphore(value: 0)

    init() {
      Stage.withoutStage {
        Thread.detachNewThread { [self] in
          begins.wait()
          continuation.withLock(\.self)?.resume()
          ends.signal()
        }
      }
    }

    func resumeOnItsThread(_ continuation: UnsafeContinuation<Void, Never>?) {
      self.continuation.withLock { $0 = continuation }
      begins.signal()
      ends.wait()
    }
  }

  @Test func `many tasks that end are no failure`() {
    let outcome = Exploration.replay(Schedule(), leavesNothing: true) { _ in
      for _ in 0..<3_000 { await Task {}.value }
      await withTaskGroup { group in for _ in 0..<100 { group.addTask { await Task.yield() } } }
    }

    #expect(outcome.failure == nil)
  }

  @Test func `work at the instant of a scenario's end does not count as left`() throws {
    let outcome = Exploration.replay(Schedule(), leavesNothing: true) { run in
      try await Task.sleep(for: .seconds(1))
      Task { run.note("still here") }
    }

    #expect(outcome.seen == ["still here"])
    #expect(outcome.failure == nil)
  }

  @Test func `a failure knows the line of its rule`() throws {
    let line = #line + 1
    let outcome = Exploration.replay(Schedule()) { $0.check(false, "never") }
    let place = try #require(outcome.failure?.place)

    #expect(place.line == line)
    #expect(place.fileID == #fileID)
  }

  @Test func `a search can be stopped between two runs`() throws {
    let findings = Exploration.explore(while: { $0.runs < 20 }, { _ in })

    #expect(findings.end == .stopped)
    #expect(findings.runs == 20)
  }

  @Test func `a scenario that never settles is inconclusive`() throws {
    let findings = Exploration.explore(.init(seeds: 0..<3), limit: 100) { _ in
      Task { while !Task.isCancelled { try await Task.sleep(for: .seconds(1)) } }
    }

    #expect(findings.runs == 4)
    #expect(findings.inconclusiveRuns == 4)
    #expect(findings.failures.isEmpty)
    let cut = try #require(findings.groups.first?.outcome.inconclusive)
    #expect(cut.hasPrefix("more than 100 instants"))
  }

  @Test func `a scenario with another result in a second run is found`() throws {
    var runs = 0
    let findings = Exploration.explore(.init(seeds: 0..<100, checkedEvery: 10)) { run in
      for number in 0..<3 { Task { run.note("\(number)") } }
      runs += 1
      if runs > 30 { run.note("\(runs)") }
    }

    #expect(findings.isNondeterministic)
    #expect(findings.end == .nondeterministic)
    #expect(findings.checked == 3)
  }

  @Test func `a run is nondeterministic if only its second failure differs in a repetition`() {
    var runs = 0
    let exploration = Exploration(.init(.exhaustive, continuesAfterFailure: true)) { _ in
      runs += 1
      var outcome = RunOutcome(seen: [], failure: Violation(rule: "a", what: "always"))
      outcome.otherFailures = [Violation(rule: "b", what: "run \(runs)")]
      return outcome
    }

    #expect(exploration.run().isNondeterministic)
  }

  /// If there is only one schedule, only the determinism check runs it twice.
  @Test func `nondeterminism is found even with a single schedule`() {
    var runs = 0
    let findings = Exploration.explore(.init(.exhaustive)) { run in
      runs += 1
      run.note("\(runs)")
    }

    #expect(findings.end == .nondeterministic)
    #expect(findings.nondeterministicSchedule == Schedule())
    #expect(findings.runs == 1)
  }

  @Test func `state that changes only the duration of the first run is nondeterminism`() {
    var isFirst = true
    let findings = Exploration.explore(.init(.exhaustive)) { run in
      if isFirst {
        isFirst = false
        try await Task.sleep(for: .seconds(5))
      }
      run.note("x")
    }

    #expect(findings.end == .nondeterministic)
    #expect(findings.nondeterministicSchedule == Schedule())
  }

  @Test func `state that changes only the decisions of the first run is nondeterminism`() {
    var isFirst = true
    let findings = Exploration.explore(.init(.exhaustive)) { run in
      let hasRace = isFirst
      isFirst = false
      if hasRace { for _ in 0..<2 { Task { await Task.yield() } } }
      run.note("x")
    }

    #expect(findings.end == .nondeterministic)
    #expect(findings.nondeterministicSchedule == Schedule())
  }

  @Test(arguments: [(UInt64(5), Findings.End.budget), (6, .complete), (7, .complete)])
  func `a budget of all schedules completes the search`(runs: UInt64, end: Findings.End) {
    let findings = Exploration.explore(.init(.exhaustive, seeds: 0..<runs)) { run in
      for number in 0..<3 { Task { run.note("\(number)") } }
    }

    #expect(findings.end == end)
    #expect(findings.groups.count == min(Int(runs), 6))
  }

  @Test func `a search ends after many runs without a new behaviour`() {
    let findings = Exploration.explore(.init(seeds: 0..<10_000, stopAfter: 100)) { run in
      for number in 0..<3 { Task { run.note("\(number)") } }
    }

    #expect(findings.end == .nothingNew)
    #expect(findings.groups.count == 6)
    #expect(findings.runs < 400)
  }

  @Test func `a failure with a long schedule is shrunk to a short one`() throws {
    let findings = Exploration.explore(.init(seeds: 0..<50)) { run in
      var order: [Int] = []
      for number in 0..<30 {
        Task {
          try await Task.sleep(for: .seconds(1))
          order.append(number)
        }
      }
      try await Task.sleep(for: .seconds(2))
      let seven = order.firstIndex(of: 7) ?? 0
      run.check(seven < (order.firstIndex(of: 23) ?? 0), "7 comes before 23")
    }
    let failure = try #require(findings.failures.first)

    #expect(failure.schedule.deviations <= 2)
  }
}
