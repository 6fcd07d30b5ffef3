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
    leavesNothing: Bool = false,
    _ scenario: @escaping @MainActor (ExploredRun) async throws -> Void
  ) -> Findings {
    Exploration.explore(
      .init(strategy, seeds: 0..<runs),
      leavesNothing: leavesNothing,
      scenario
    )
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

  @Test func `the jobs of a stage that code has entered are named, in each search`() {
    let kept = Stage()
    for _ in 0..<2 {
      let findings = findings { _ in
        kept.enter {
          for _ in 0..<2 { Task { await Task.yield() } }
          _ = kept.settle()
        }
      }
      expect(
        findings,
        /the order of the jobs of another stage in closure in .* at UnvariedTests\.swift:\d+/
      )
    }
  }

  @Test func `work for a stage that has ended is named`() {
    let ended = Stage()
    #expect(ended.close() == .idle)
    let findings = findings { _ in
      _ = ended.schedule(at: ended.now) { Issue.record("Its stage has ended.") }
    }
    expect(
      findings,
      /work that never runs, because the stage of its scheduler has ended in closure in .* at UnvariedTests\.swift:\d+/
    )
  }

  @Test func `iterations that may overlap are named`() {
    let findings = findings { _ in
      DispatchQueue.concurrentPerform(iterations: 1) { _ in }
      DispatchQueue.concurrentPerform(iterations: 2) { _ in }
    }
    expect(
      findings,
      /the overlap of iterations: DispatchQueue\.concurrentPerform in closure in .* at UnvariedTests\.swift:\d+ runs each as a whole/
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
    let barriers = self.findings { _ in
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      queue.asyncAfter(deadline: .now() + 1, flags: .barrier) {}
      for _ in 1..<count { queue.asyncAfter(deadline: .now() + 1) {} }
    }
    #expect(barriers.unvaried.count == 1)
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
    let suspended = findings { _ in
      let queue = DispatchQueue(label: "q")
      queue.suspend()
      let task = Task.detached { queue.sync {} }
      Task.detached { queue.resume() }
      await task.value
    }
    for synchronous in [synchronous, suspended] {
      expect(synchronous, /the number of threads: DispatchQueue\(label: "q"\)\.sync in .*/)
    }
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

  @Test func `a value of the thread that another task reads is named`() {
    let key = ThreadKey()
    let values = findings { _ in
      await Task.detached { key.set(1) }.value
      _ = await Task.detached { key.value }.value
    }
    expect(
      values,
      /the thread of a task: pthread_getspecific in .* reads what another job has stored in its thread/
    )
    let dictionary = findings { _ in
      for _ in 0..<2 { await Task.detached { setThreadDictionary() }.value }
    }
    expect(
      dictionary,
      /the thread of a task: Thread\.threadDictionary in setThreadDictionary\(\) at .*/
    )
  }

  @Test func `a value of the thread within one job, or on the main actor, is not named`() {
    let key = ThreadKey()
    let findings = findings { _ in
      let tasks = (0..<2).map { number in
        Task.detached {
          key.set(number + 1)
          return key.value == number + 1
        }
      }
      for task in tasks { #expect(await task.value) }
      key.set(1)
      setThreadDictionary()
      await Task.yield()
      #expect(key.value == 1)
      setThreadDictionary()
    }
    #expect(findings.unvaried == [])
    #expect(findings.end == .complete)
  }

  @Test func `a task that waits while it has a lock is named`() {
    let lock = NSLock()
    let waiting = findings(leavesNothing: true) { _ in
      await Task.detached { await hold(lock) }.value
    }
    expect(
      waiting,
      /the thread of a task: it waits in hold\(\) at UnvariedTests\.swift:\d+ while it has a lock/
    )
    let onMain = findings(leavesNothing: true) { _ in await holdOnMain(lock) }
    expect(onMain, /the thread of a task: it waits in holdOnMain\(\) at .* while it has a lock/)
    let block = findings { _ in
      let queue = DispatchQueue(label: "q")
      queue.async { lockSynchronously(lock) }
      queue.async { unlock(lock) }
    }
    expect(block, /the thread of a task or a block, which ends while it has a lock/)
    let trying = findings { _ in
      await Task.detached {
        guard tries(lock) else { return }
        unlock(lock)
        perform(with: lock) {}
      }.value
    }
    #expect(trying.unvaried == [])
    #expect(trying.end == .complete)
  }
}

private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
private func sleepOnThread() { Thread.sleep(forTimeInterval: 1) }
private func perform(with lock: NSLock, _ body: () -> Void) {
  lock.lock()
  body()
  lock.unlock()
}
private func unlock(_ lock: NSLock) { lock.unlock() }
private func tries(_ lock: NSLock) -> Bool { lock.try() }
@concurrent private func hold(_ lock: NSLock) async {
  lockSynchronously(lock)
  await Task.yield()
  unlock(lock)
}
@MainActor private func holdOnMain(_ lock: NSLock) async {
  lockSynchronously(lock)
  await Task.yield()
  unlock(lock)
}
private func lockSynchronously(_ lock: NSLock) { lock.lock() }
private func setThreadDictionary() { Thread.current.threadDictionary["key"] = 1 }

/// A value of each thread.
private final class ThreadKey: Sendable {
  private let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    self.key = key
  }

  var value: Int { Int(bitPattern: pthread_getspecific(key)) }
  func set(_ value: Int) { pthread_setspecific(key, UnsafeRawPointer(bitPattern: value)) }
}
#endif
