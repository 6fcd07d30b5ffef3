#if os(Linux) && canImport(Glibc)
import Dispatch
import Exploring
import Foundation
import Synchronization
import Testing

/// Searches over the orders of code that holds a lock while it blocks.
@MainActor @Suite struct LockExplorationTests {
  private enum Kind: CaseIterable { case nsLock, mutex, readWriteLock }

  private final class Lock: @unchecked Sendable {
    private let kind: Kind
    private let nsLock = NSLock()
    private let mutex = Mutex(())
    private let readWriteLock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

    init(_ kind: Kind) {
      self.kind = kind
      pthread_rwlock_init(readWriteLock, nil)
    }

    deinit {
      pthread_rwlock_destroy(readWriteLock)
      readWriteLock.deallocate()
    }

    func perform(_ body: () -> Void) {
      switch kind {
      case .nsLock: nsLock.withLock(body)
      case .mutex: mutex.withLock { _ in body() }
      case .readWriteLock:
        pthread_rwlock_wrlock(readWriteLock)
        body()
        pthread_rwlock_unlock(readWriteLock)
      }
    }
  }

  @Test(arguments: Kind.allCases)
  private func `code that holds a lock during sync and wait is explored completely`(kind: Kind) {
    let findings = Exploration.explore(.init(.exhaustive)) { run in
      let lock = Lock(kind)
      let queue = DispatchQueue(label: "queue")
      let semaphore = DispatchSemaphore(value: 2)
      let group = DispatchGroup()
      let order = Mutex<[Int]>([])
      for number in 0..<2 {
        DispatchQueue.global().async(group: group) {
          lock.perform {
            order.withLock { $0.append(number) }
            queue.sync {}
            semaphore.wait()
            order.withLock { $0.append(number) }
            semaphore.signal()
          }
        }
      }
      await withCheckedContinuation { continuation in
        group.notify(queue: .main) { continuation.resume() }
      }
      let numbers = order.withLock(\.self)
      run.note("\(numbers)")
      run.check(numbers == [0, 0, 1, 1] || numbers == [1, 1, 0, 0], "one after the other")
    }
    #expect(findings.failures.isEmpty)
    #expect(findings.outside == [])
    #expect(findings.end == .complete)
    #expect(findings.behaviours == 2)
  }

  @Test(arguments: Kind.allCases)
  private func `two locks in opposite orders are a deadlock`(kind: Kind) {
    let findings = Exploration.explore(.init(.exhaustive), leavesNothing: true) { _ in
      let (one, other) = (Lock(kind), Lock(kind))
      let queue = DispatchQueue(label: "queue")
      DispatchQueue.global().async { one.perform { queue.sync { other.perform {} } } }
      DispatchQueue.global().async { other.perform { queue.sync { one.perform {} } } }
    }
    #expect(findings.failures.first?.rule == "no thread blocks forever")
  }
}
#endif
