#if os(Linux)
import Dispatch
import Exploring
import Foundation
import Staging
import Testing

/// What no schedule varies is named, and a search with it is never complete.
@MainActor @Suite struct UnvariedTests {
  private func findings(
    _ strategy: Strategy = .exhaustive,
    runs: UInt64 = 10_000,
    _ scenario: @escaping @MainActor (ExploredRun) async throws -> Void
  ) -> Findings {
    Exploration.explore(.init(strategy, seeds: 0..<runs), scenario)
  }

  private func expect(
    _ findings: Findings,
    _ text: Regex<Substring>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let unvaried = findings.unvaried
    #expect(findings.end == .partial, sourceLocation: sourceLocation)
    #expect(unvaried.count == 1, "\(unvaried)", sourceLocation: sourceLocation)
    #expect(
      unvaried.first?.wholeMatch(of: text) != nil,
      "\(unvaried)",
      sourceLocation: sourceLocation
    )
  }

  @Test func `the jobs of another stage are named`() {
    let findings = findings { _ in
      try Stage().run {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<2 { group.addTask { await Task.yield() } }
        }
      }
    }
    expect(
      findings,
      /the order of the jobs of another stage in closure in .* at UnvariedTests\.swift:\d+/
    )
  }

  @Test(arguments: [2, 3, 4])
  func `three equal deadlines of a serial queue are named`(count: Int) {
    let findings = findings { _ in
      let queue = DispatchQueue(label: "serial")
      for _ in 0..<count { queue.asyncAfter(deadline: .now() + 1) {} }
      for number in 2..<9 { queue.asyncAfter(deadline: .now() + Double(number)) {} }
    }
    guard count > 2 else { return #expect(findings.end == .complete) }
    expect(
      findings,
      /the order of three or more blocks with one deadline: DispatchQueue\(label: "serial"\)\.asyncAfter in .*/
    )
  }

  @Test func `blocks of a concurrent queue with equal deadlines are tried in all orders`() {
    let findings = findings(.random, runs: 100) { run in
      for number in 0..<3 {
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) { run.note("\(number)") }
      }
    }
    #expect(findings.unvaried == [])
    #expect(findings.groups.count == 6)
  }

  @Test func `a task that blocks its thread is named`() {
    let waiting = findings { _ in
      let semaphore = DispatchSemaphore(value: 0)
      let done = Task.detached { wait(for: semaphore) }
      Task.detached { semaphore.signal() }
      await done.value
    }
    expect(
      waiting,
      /the number of threads: DispatchSemaphore\.wait in wait\(\) at .* blocks the thread of a task, .*/
    )
    let sleeping = findings { _ in await Task.detached { sleepOnThread() }.value }
    expect(sleeping, /the number of threads: sleep in sleepOnThread\(\) at .*/)
  }

  @Test func `a task that waits for a lock or a queue of a blocked thread is named`() {
    let locked = findings { _ in
      let lock = NSLock()
      let task = Task.detached { perform(with: lock) {} }
      DispatchQueue.global().async { perform(with: lock) { sleepOnThread() } }
      await task.value
    }
    expect(locked, /the number of threads: a wait for a lock in perform\(\) at .*/)
    let synchronous = findings { _ in
      let queue = DispatchQueue(label: "q")
      let task = Task.detached { queue.sync {} }
      queue.async { sleepOnThread() }
      await task.value
    }
    expect(synchronous, /the number of threads: DispatchQueue\(label: "q"\)\.sync in .*/)
  }

  @Test func `a blocked main actor, and a short wait for a queue, are not named`() {
    let onMain = findings { _ in
      let semaphore = DispatchSemaphore(value: 0)
      DispatchQueue.global().async { semaphore.signal() }
      wait(for: semaphore)
      sleepOnThread()
    }
    let short = findings { _ in
      let queue = DispatchQueue(label: "q")
      let task = Task.detached { queue.sync {} }
      for _ in 0..<2 { queue.async {} }
      await task.value
    }
    for findings in [onMain, short] {
      #expect(findings.unvaried == [])
      #expect(findings.end == .complete)
    }
  }

  @Test func `blocks that block more threads than some platforms have are named`() {
    for (count, isNamed) in [(64, false), (66, true)] {
      let findings = findings(.random, runs: 2) { _ in
        let semaphore = DispatchSemaphore(value: 0)
        for _ in 0..<count { DispatchQueue.global().async { semaphore.wait() } }
        try await Task.sleep(for: .seconds(1))
        for _ in 0..<count { semaphore.signal() }
      }
      #expect(findings.unvaried.isEmpty != isNamed)
    }
  }
}

private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
private func sleepOnThread() { Thread.sleep(forTimeInterval: 1) }
private func perform(with lock: NSLock, _ body: () -> Void) {
  lock.lock()
  body()
  lock.unlock()
}
#endif
