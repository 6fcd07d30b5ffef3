import Dispatch
import Exploring
import Foundation
import RehearsalTesting
import Staging
import Synchronization
import Testing

/// Calls of a run from each isolation, and from threads outside of the stage. Serialized, because two stages must not use a
/// global actor at the same time.
@Suite(.serialized) struct RunIsolationTests {
  private actor Counter {
    func count(_ run: ExploredRun) { run.note("actor \(run.choose([1, 2]))") }
  }

  @globalActor private actor Store {
    static let shared = Store()
  }

  @concurrent private static func load(_ run: ExploredRun) async {
    run.note("nonisolated \(run.choose([1, 2]))")
  }

  /// The places that call a run.
  private static let places:
    [(name: String, call: @MainActor @Sendable (ExploredRun) async -> Void)] =
      [
        ("an actor", { await Counter().count($0) }),
        ("a nonisolated async function", { await load($0) }),
        (
          "a detached task",
          { run in await Task.detached { run.note("detached \(run.choose([1, 2]))") }.value }
        ),
        (
          "a child task",
          { run in
            async let child: Void = load(run)
            await child
          }
        ),
        (
          "a task of a global actor",
          { run in await Task { @Store in run.note("global \(run.choose([1, 2]))") }.value }
        ),
        (
          "a queue",
          { run in
            await withCheckedContinuation { continuation in
              DispatchQueue(label: "work").async {
                run.note("queue \(run.choose([1, 2]))")
                continuation.resume()
              }
            }
          }
        ),
      ]

  @Test(arguments: places.indices)
  func `a search tries all values that code of each isolation chooses`(place: Int) async throws {
    let texts = Mutex<Set<String>>([])
    let findings = try await explore(strategy: .exhaustive) { run in
      await Self.places[place].call(run)
      texts.withLock { texts in texts.formUnion(run.notes.map(\.text)) }
    }

    #expect(findings.end == .complete)
    #expect(texts.withLock(\.self).count == 2)
  }

  @Test(arguments: places.indices)
  func `a replay repeats a value that code of each isolation chose`(place: Int) async throws {
    let found = try await recordedIssues {
      try await explore { run in
        await Self.places[place].call(run)
        run.check(run.notes.first?.text.hasSuffix("1") == true, "the first value")
      }
    }

    #expect(found.count == 1)
    #expect(found.first?.text.contains("the first value") == true, "\(found)")
    let schedule = try #require(found.first?.text.firstMatch(of: /replaying: "(.*)"/)?.output.1)
    let replayed = try await recordedIssues {
      try await explore(replaying: String(schedule)) { run in
        await Self.places[place].call(run)
        run.check(run.notes.first?.text.hasSuffix("1") == true, "the first value")
      }
    }
    #expect(replayed.first?.text.hasPrefix("the first value") == true, "\(replayed)")
  }

  @Test func `a check and a sometimes in a detached task count`() async throws {
    let issues = try await recordedIssues {
      try await explore { run in
        await Task.detached { run.sometimes(false, "never") }.value
      }
    }
    let line = #line + 3
    let checked = try await recordedIssues {
      try await explore { run in
        await Task.detached { run.check(false, "detached") }.value
      }
    }

    #expect(issues.first?.text.hasPrefix("sometimes 'never'") == true, "\(issues)")
    #expect(checked.first.map { $0.line == line } == true)
    #expect(checked.first?.text.hasPrefix("detached") == true, "\(checked)")
  }

  @Test func `settle in an actor waits for the other tasks`() async throws {
    try await explore { run in
      let isOver = Mutex(false)
      Task.detached {
        try await Task.sleep(for: .seconds(1))
        isOver.withLock { $0 = true }
      }
      await Task { @Store in await run.settle() }.value
      #expect(isOver.withLock { $0 })
    }
  }

  @Test func `a search tries both orders of notes in nonisolated code`() async throws {
    let orders = Mutex<Set<[String]>>([])
    let findings = try await explore(strategy: .exhaustive) { run in
      let tasks = ["a", "b"].map { name in
        Task.detached {
          run.note(name)
          await Task.yield()
        }
      }
      for task in tasks { await task.value }
      orders.withLock { orders in _ = orders.insert(run.notes.map(\.text)) }
    }

    #expect(findings.end == .complete)
    #expect(orders.withLock(\.self) == [["a", "b"], ["b", "a"]])
  }

  // MARK: Threads outside of the stage

  /// Calls `body` in a thread that the stage does not run, and waits for its end.
  private static func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      Thread {
        body()
        continuation.resume()
      }
      .start()
    }
  }

  private static let chosen = Atomic(0)

  @Test(arguments: ["note", "choose", "check", "sometimes"])
  func `a call by a thread outside of the stage is an issue`(function: String) async throws {
    let issues = try await recordedIssues {
      try await explore(schedules: 10) { run in
        await Self.onThread {
          switch function {
          case "note": run.note("a")
          case "choose": Self.chosen.store(run.choose([7, 8]), ordering: .relaxed)
          case "check": run.check(true, "a")
          default: run.sometimes(true, "a")
          }
        }
      }
    }

    let text = try #require(issues.first { $0.text.contains("by a thread outside") }?.text)
    #expect(text.hasPrefix("only code on the stage calls 'run': 'run.\(function)' is called in "))
    #expect(text.contains("RunIsolationTests.swift:"), "\(text)")
    #expect(function != "choose" || Self.chosen.load(ordering: .relaxed) == 7)
  }

  // MARK: Waiting for all tasks

  @Test func `waitForAllTasks returns at the instant at which the last task ends`() async throws {
    try await explore { run in
      for seconds in [3, 1] { Task.detached { try await Task.sleep(for: .seconds(seconds)) } }
      Task { Task.detached { try await Task.sleep(for: .seconds(4)) } }
      await run.waitForAllTasks()
      #expect(run.stage.now.elapsed == .seconds(4))
    }
  }

  @Test func `waitForAllTasks waits for no timer`() async throws {
    try await explore(mayLeaveWork: true) { run in
      let timer = DispatchSource.makeTimerSource(queue: .main)
      timer.schedule(deadline: .now() + 5, repeating: 5)
      timer.setEventHandler {}
      timer.resume()
      Task { try await Task.sleep(for: .seconds(1)) }
      await run.waitForAllTasks()
      #expect(run.stage.now.elapsed == .seconds(1))
      timer.cancel()
    }
  }

  @Test func `waitForAllTasks without tasks returns`() async throws {
    try await explore { run in
      await run.waitForAllTasks()
      #expect(run.stage.now.elapsed == .zero)
    }
  }

  @Test(arguments: [false, true])
  func `a task that waits forever fails waitForAllTasks at its line`(mayLeaveWork: Bool)
    async throws
  {
    let line = #line + 7
    let issues = try await recordedIssues {
      try await explore(mayLeaveWork: mayLeaveWork) { run in
        Task(name: "refresh") {
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        Task { try await Task.sleep(for: .seconds(1)) }
        await run.waitForAllTasks()
        run.note("continues")
      }
    }

    let issue = try #require(issues.first)
    #expect(issue.line == line)
    #expect(
      issue.text.hasPrefix(
        "'run.waitForAllTasks' waits forever: nothing is left to do, and a task has not ended: 'refresh' in "
      ),
      "\(issue.text)"
    )
    #expect(issue.text.contains("'refresh' waits for a continuation that nothing has resumed"))
    #expect(!issue.text.contains("task 1 "))
    #expect(issue.text.contains("continues"))
  }

  @Test func `calls of waitForAllTasks do not wait for each other`() async throws {
    try await explore { run in
      let first = Task { await run.waitForAllTasks() }
      await withTaskGroup { group in
        group.addTask { await run.waitForAllTasks() }
      }
      await first.value
    }
  }

  @Test func `settle returns before a call of waitForAllTasks that waits for its task`()
    async throws
  {
    try await explore { run in
      Task {
        await run.settle()
        run.note("settled")
      }
      await run.waitForAllTasks()
      run.note("all")
      #expect(run.notes.map(\.text) == ["settled", "all"])
    }
  }

  @Test func `a task that a thread resumes is waited for`() async throws {
    let issues = try await recordedIssues {
      try await explore(replaying: "") { run in
        let isOver = Mutex(false)
        Task {
          await Self.onThread { usleep(20_000) }
          isOver.withLock { $0 = true }
        }
        await run.waitForAllTasks()
        #expect(isOver.withLock { $0 })
      }
    }

    let isExpected = issues.map(\.text).allSatisfy {
      $0.contains("outside of virtual time") || $0.contains("because of 'replaying'")
    }
    #expect(isExpected, "\(issues)")
  }
}
