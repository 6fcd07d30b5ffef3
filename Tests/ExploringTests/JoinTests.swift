import Staging
import Testing

@testable import Exploring

/// Calls of `waitForAllTasks`.
@MainActor @Suite struct JoinTests {
  @Test func `the tasks that have not ended are named in each strategy`() throws {
    for strategy in [Strategy.exhaustive, .random, .pct(changes: 3), .pos, .urw, .surw] {
      let findings = Exploration.explore(.init(strategy), leavesNothing: true) { run in
        Task(name: "forever") {
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        Task.detached { try await Task.sleep(for: .seconds(1)) }
        await run.waitForAllTasks()
      }

      let failure = try #require(findings.failures.first?.outcome.failure)
      #expect(failure.check == .tasksEnd)
      #expect(
        failure.what.hasPrefix("nothing is left to do, and a task has not ended: 'forever' in ")
      )
    }
  }

  @Test func `a search that does not keep its tasks says what is needed`() throws {
    let outcome = Exploration.replay(Schedule()) { run in await run.waitForAllTasks() }

    #expect(
      outcome.failure?.what == "this search does not know its tasks; use 'leavesNothing: true'"
    )
  }

  @Test func `a task that is started meanwhile is waited for`() {
    let outcome = Exploration.replay(Schedule(), leavesNothing: true) { run in
      Task {
        try await Task.sleep(for: .seconds(1))
        Task.detached {
          try await Task.sleep(for: .seconds(1))
          run.note("last")
        }
      }
      await run.waitForAllTasks()
      run.note("all")
    }

    #expect(outcome.failure == nil)
    #expect(outcome.seen == ["last", "all"])
  }

  @Test func `two tasks that wait for each other are named, and the deadlock`() {
    let outcome = Exploration.replay(Schedule(), leavesNothing: true) { run in
      final class Box: Sendable { nonisolated(unsafe) var task: Task<Void, Never>? }
      let (first, second) = (Box(), Box())
      first.task = Task(name: "first") { await second.task?.value }
      second.task = Task(name: "second") { await first.task?.value }
      await run.waitForAllTasks()
    }

    let waits = outcome.failure?.details ?? []
    #expect(waits.last == "deadlock: 'first' waits for 'second', 'second' waits for 'first'")
    #expect(outcome.failure?.what.contains("2 tasks have not ended: 'first' in ") == true)
  }

  @Test func `a task that waits for the caller is named`() {
    let outcome = Exploration.replay(Schedule(), leavesNothing: true) { run in
      let caller = Task(name: "caller") { await run.waitForAllTasks() }
      Task(name: "waits") { await caller.value }
    }

    #expect(outcome.failure?.what.contains("a task has not ended: 'waits' in ") == true)
  }

  @Test func `cancellation does not end the call`() {
    let outcome = Exploration.replay(Schedule(), leavesNothing: true) { run in
      Task { try await Task.sleep(for: .seconds(2)) }
      let waiting = Task {
        await run.waitForAllTasks()
        run.note("\(run.stage.now.elapsed)")
      }
      try await Task.sleep(for: .seconds(1))
      waiting.cancel()
      await waiting.value
    }

    #expect(outcome.failure == nil)
    #expect(outcome.seen == ["2.0 seconds"])
  }
}
