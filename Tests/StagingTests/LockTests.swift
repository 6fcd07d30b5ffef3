#if os(Linux) && canImport(Glibc)
import Dispatch
import Foundation
import Staging
import Testing

/// Locks that code on a stage holds while it blocks, so that other code of the stage waits for them.
@Suite struct LockTests {
  private let stage = Stage()
  private let log = Log()

  private func note(_ text: String) { log("\(stage.now) \(text)") }

  private func lines(_ body: @MainActor () -> Void) -> [String] {
    stage.enter(body)
    stage.settle()
    return log.lines
  }

  @Test func `other code waits in virtual time for a lock that is held during a sleep`() {
    let lock = NSLock()
    let lines = lines {
      DispatchQueue(label: "a").async {
        lock.withLock {
          sleep(2)
          note("first")
        }
      }
      DispatchQueue(label: "b").async { lock.withLock { note("second") } }
      DispatchQueue(label: "c").async { note("other") }
    }
    #expect(lines == ["0s other", "2s first", "2s second"])
    #expect(stage.takeBlocked() == [])
  }

  @Test func `a wait for a lock ends at its deadline in virtual time`() {
    let lock = NSLock()
    let lines = lines {
      DispatchQueue(label: "a").async { lock.withLock { _ = sleep(3) } }
      DispatchQueue(label: "b").async { note("\(lock.lock(before: Date() + 1))") }
      DispatchQueue(label: "c").async { note("\(lock.lock(before: Date() + 5))") }
    }
    #expect(lines == ["1s false", "3s true"])
  }

  @Test func `a lock that a thread takes twice is named`() {
    let lock = NSLock()
    _ = lines {
      DispatchQueue(label: "a").async {
        lock.lock()
        lock.lock()
        lock.unlock()
      }
    }
    let calls = stage.takeDeadlockedCalls()
    #expect(calls.map { $0.text.hasPrefix("a wait for a lock in LockTests.") } == [true])
    #expect(calls.first?.remarks == ["the same thread has locked it before"])
  }

  @Test func `a recursive lock may be taken twice`() {
    let lock = NSRecursiveLock()
    let lines = lines {
      DispatchQueue(label: "a").async { lock.withLock { lock.withLock { note("twice") } } }
    }
    #expect(lines == ["0s twice"])
    #expect(stage.takeDeadlockedCalls() == [])
  }

  @Test func `the report of a lock that nothing unlocks names what its holder waits for`() {
    let lock = NSLock()
    let semaphore = DispatchSemaphore(value: 0)
    _ = lines {
      DispatchQueue(label: "a").async { lock.withLock { semaphore.wait() } }
      DispatchQueue(label: "b").async { lock.withLock {} }
    }
    let calls = stage.takeBlockedCalls()
    #expect(calls.count == 2)
    #expect(calls.last?.text.hasPrefix("a wait for a lock in LockTests.") == true)
    let remark = calls.last?.remarks.first ?? ""
    #expect(remark.hasPrefix("the thread that has the lock waits in DispatchSemaphore.wait in "))
    stage.enter { _ = semaphore.signal() }
    stage.settle()
    #expect(stage.takeBlockedCalls() == [])
  }
}
#endif
