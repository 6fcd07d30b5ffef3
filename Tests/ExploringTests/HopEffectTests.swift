import Staging
import Synchronization
import Testing

@testable import Exploring

/// Steps that look like a hop but have other effects, and messages of actors that are no hops.
@MainActor @Suite struct HopEffectTests {
  private actor Box {
    func touch() {}
  }

  private func behaviours(
    _ scenario: @escaping @MainActor @Sendable (ExploredRun) async throws -> Void
  ) -> Set<String> {
    let findings = Exploration.explore(
      Exploration.Plan(.exhaustive, continuesAfterFailure: true),
      scenario
    )
    #expect(findings.end == .complete && findings.failures.isEmpty)
    return Set(findings.groups.map { $0.outcome.seen.joined(separator: " ") })
  }

  @Test func `a step that cancels a task is tried in both orders`() {
    let seen = behaviours { run in
      let box = Box()
      let victim = Task { run.note(Task.isCancelled ? "cancelled" : "in time") }
      let canceller = Task.detached {
        victim.cancel()
        await box.touch()
      }
      await canceller.value
      await victim.value
    }
    #expect(seen == ["cancelled", "in time"])
  }

  @Test func `a step that cancels the current task is tried in both orders`() {
    let seen = behaviours { run in
      let box = Box()
      let victim = Task.detached {
        withUnsafeCurrentTask { $0?.cancel() }
        await box.touch()
      }
      let reader = Task { run.note(victim.isCancelled ? "cancelled" : "in time") }
      await victim.value
      await reader.value
    }
    #expect(seen == ["cancelled", "in time"])
  }

  @Test func `a step that cancels a due closure is tried in both orders`() {
    let seen = behaviours { run in
      let box = Box()
      let stage = run.stage
      let closure = stage.schedule(at: stage.now.advanced(by: .seconds(1))) { run.note("called") }
      let canceller = Task.detached {
        try? await stage.clock.sleep(for: .seconds(1))
        closure.cancel()
        await box.touch()
      }
      await canceller.value
      run.note("ended")
    }
    #expect(seen == ["ended", "called ended"])
  }

  private enum Group: CaseIterable {
    case plain, throwing, discarding, throwingDiscarding
  }

  @concurrent private static func cancelAll(_ group: Group, _ box: Box, _ run: ExploredRun) async {
    let note = { @MainActor @Sendable in run.note(Task.isCancelled ? "cancelled" : "in time") }
    switch group {
    case .plain:
      await withTaskGroup { group in
        group.addTask { await note() }
        await box.touch()
        group.cancelAll()
        await box.touch()
      }
    case .throwing:
      try? await withThrowingTaskGroup { group in
        group.addTask { await note() }
        await box.touch()
        group.cancelAll()
        await box.touch()
        try await group.waitForAll()
      }
    case .discarding:
      await withDiscardingTaskGroup { group in
        group.addTask { await note() }
        await box.touch()
        group.cancelAll()
        await box.touch()
      }
    case .throwingDiscarding:
      try? await withThrowingDiscardingTaskGroup { group in
        group.addTask { await note() }
        await box.touch()
        group.cancelAll()
        await box.touch()
      }
    }
  }

  @Test(arguments: Group.allCases)
  private func `a step that cancels a group is tried in both orders`(group: Group) {
    let seen = behaviours { run in await Self.cancelAll(group, Box(), run) }
    #expect(seen == ["cancelled", "in time"])
  }

  /// An executor that runs each job at once, on the thread that enqueues it.
  private final class InlineExecutor: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }

  private actor InlineCounter {
    private let executor = InlineExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private(set) var value = 0
    func set(_ new: Int) { value = new }
  }

  @Test func `a call of an actor whose executor runs jobs at once is no hop`() {
    let seen = behaviours { run in
      let counter = InlineCounter()
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { await counter.set(counter.value + 1) } }
      }
      run.note("\(await counter.value)")
    }
    #expect(seen == ["1", "2"])
  }

  private actor Log {
    private(set) var text = ""
    func add(_ word: String) { text += word }

    func startTwo() {
      Task(priority: .background) { add("low ") }
      Task(priority: .high) { add("high") }
    }
  }

  @Test func `an actor runs the message with the higher priority first`() {
    let seen = behaviours { run in
      let log = Log()
      await log.startTwo()
      await run.settle()
      run.note(await log.text)
    }
    #expect(seen == ["highlow "])
  }

  @globalActor private actor Global {
    static let shared = Global()
  }

  @Global private final class Resource {
    private let willEnd: @Sendable () -> Void
    init(_ willEnd: @escaping @Sendable () -> Void) { self.willEnd = willEnd }
    isolated deinit { willEnd() }
  }

  private final class Words: Sendable {
    private let words = Mutex<[String]>([])
    func add(_ word: String) { words.withLock { $0.append(word) } }
    var text: String { words.withLock { $0.joined(separator: " ") } }
  }

  @Global private static func add(_ word: String, to words: Words) { words.add(word) }

  @concurrent private static func drop(_ words: Words) async {
    do { _ = await Resource { words.add("end") } }
    await add("next", to: words)
  }

  @Test func `an isolated deinit is one message, and others may run before the next one`() {
    let seen = behaviours { run in
      let words = Words()
      let task = Task.detached { await Self.drop(words) }
      Task { words.add("main") }
      await task.value
      await run.settle()
      run.note(words.text)
    }
    #expect(seen.contains("end main next"))
    #expect(seen.contains("main end next"))
    #expect(seen.contains("end next main"))
  }

  private actor Ended {
    private let words: Words
    init(_ words: Words) { self.words = words }
    func touch() {}
    isolated deinit { words.add("end") }
  }

  @Test func `an actor with an isolated deinit ends`() {
    let seen = behaviours { run in
      let words = Words()
      await Task.detached { await Ended(words).touch() }.value
      await run.settle()
      run.note(words.text)
    }
    #expect(seen == ["end"])
  }

  // MARK: Other threads

  @Test func `an actor that two stages share moves to the stage of its next message, and is named`()
  {
    let box = Box()
    let stages = (0..<2).map { _ in Stage(scheduler: ReplayScheduler(Schedule())) }
    let done = Words()
    func start(_ stage: Stage, _ word: String) {
      stage.enter {
        _ = Task.detached {
          await box.touch()
          done.add(word + (Stage.current === stage ? "" : " elsewhere"))
        }
      }
    }
    start(stages[0], "first")
    stages[0].runReady(limit: 1)
    start(stages[1], "second")
    stages[1].runReady()
    #expect(done.text == "")

    stages[0].runReady()
    #expect(done.text == "first")
    stages[1].runReady()
    #expect(done.text == "first second")
    let named = ["the use of actor 'Box' by another stage"]
    #expect(stages.map { $0.takeInterventions() } == [named, named])
  }
}
