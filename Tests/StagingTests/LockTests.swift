#if os(Linux) && canImport(Glibc)
import Dispatch
import Foundation
import Glibc
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

  /// A lock of the C library.
  private final class ReadWriteLock: @unchecked Sendable {
    let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

    init() { pthread_rwlock_init(lock, nil) }

    deinit {
      pthread_rwlock_destroy(lock)
      lock.deallocate()
    }

    func read() { pthread_rwlock_rdlock(lock) }
    func write() { pthread_rwlock_wrlock(lock) }
    func unlock() { pthread_rwlock_unlock(lock) }

    /// Tries to lock, also by the functions with a time limit.
    func tries(_ kind: Int) -> Bool {
      var limit = timespec()
      clock_gettime(kind < 4 ? CLOCK_REALTIME : CLOCK_MONOTONIC, &limit)
      limit.tv_sec += 3
      return switch kind {
      case 0: pthread_rwlock_tryrdlock(lock) == 0
      case 1: pthread_rwlock_trywrlock(lock) == 0
      case 2: pthread_rwlock_timedrdlock(lock, &limit) == 0
      case 3: pthread_rwlock_timedwrlock(lock, &limit) == 0
      case 4: locks(by: "pthread_rwlock_clockrdlock", &limit)
      default: locks(by: "pthread_rwlock_clockwrlock", &limit)
      }
    }

    /// Calls a function that Swift does not import.
    private func locks(by name: String, _ limit: UnsafePointer<timespec>) -> Bool {
      typealias Function =
        @convention(c) (UnsafeMutablePointer<pthread_rwlock_t>, clockid_t, UnsafePointer<timespec>)
        -> CInt
      return unsafeBitCast(dlsym(nil, name), to: Function.self)(lock, CLOCK_MONOTONIC, limit) == 0
    }
  }

  @Test func `readers wait in virtual time for a writer, and do not wait for each other`() {
    let lock = ReadWriteLock()
    let lines = lines {
      DispatchQueue(label: "writer").async {
        lock.write()
        sleep(1)
        lock.unlock()
      }
      for name in ["a", "b"] {
        DispatchQueue(label: name).async {
          lock.read()
          sleep(1)
          note(name)
          lock.unlock()
        }
      }
    }
    #expect(lines == ["2s a", "2s b"])
    #expect(stage.takeBlocked() == [])
  }

  @Test(arguments: 0..<6)
  func `other code waits in virtual time for a lock that was taken by a try or with a limit`(
    kind: Int
  ) {
    let lock = ReadWriteLock()
    let lines = lines {
      DispatchQueue(label: "a").async {
        note("\(lock.tries(kind))")
        sleep(2)
        lock.unlock()
      }
      DispatchQueue(label: "b").async {
        lock.write()
        note("writes")
        lock.unlock()
      }
    }
    #expect(lines == ["0s true", "2s writes"])
  }

  @Test(arguments: 2..<6, [1, 5])
  func `a wait for a read-write lock ends at its deadline in virtual time`(kind: Int, held: Int) {
    let lock = ReadWriteLock()
    let lines = lines {
      DispatchQueue(label: "a").async {
        lock.write()
        sleep(UInt32(held))
        lock.unlock()
      }
      DispatchQueue(label: "b").async { note("\(lock.tries(kind))") }
    }
    #expect(lines == [held == 1 ? "1s true" : "3s false"])
  }

  @Test func `a wait with a clock ends at its deadline in virtual time`() {
    typealias Wait =
      @convention(c) (
        UnsafeMutableRawPointer, UnsafeMutableRawPointer, clockid_t, UnsafePointer<timespec>
      ) -> CInt
    let wait = unsafeBitCast(dlsym(nil, "pthread_cond_clockwait"), to: Wait.self)
    typealias Lock =
      @convention(c) (UnsafeMutableRawPointer, clockid_t, UnsafePointer<timespec>) -> CInt
    let lock = unsafeBitCast(dlsym(nil, "pthread_mutex_clocklock"), to: Lock.self)
    let lines = lines {
      let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
      let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
      pthread_cond_init(condition, nil)
      pthread_mutex_init(mutex, nil)
      @Sendable func limit(_ seconds: Int) -> timespec {
        var limit = timespec()
        clock_gettime(CLOCK_MONOTONIC, &limit)
        limit.tv_sec += seconds
        return limit
      }
      var first = limit(2)
      pthread_mutex_lock(mutex)
      note("\(wait(condition, mutex, CLOCK_MONOTONIC, &first) == ETIMEDOUT)")
      nonisolated(unsafe) let shared = mutex
      DispatchQueue.global().async {
        var second = limit(3)
        note("\(lock(shared, CLOCK_MONOTONIC, &second) == ETIMEDOUT)")
      }
      sleep(10)
      pthread_mutex_unlock(mutex)
    }
    #expect(lines == ["2s true", "5s true"])
  }

  @Test func `a thread can have many locks for reading`() {
    let lock = ReadWriteLock()
    let others = (0..<40).map { _ in ReadWriteLock() }
    let lines = lines {
      DispatchQueue(label: "a").async {
        for other in others { other.read() }
        lock.read()
        sleep(1)
        for other in others { other.unlock() }
        lock.unlock()
      }
      DispatchQueue(label: "b").async {
        lock.write()
        note("writes")
        lock.unlock()
      }
    }
    #expect(lines == ["1s writes"])
  }

  // MARK: Libraries

  /// A shared library of the user with a lock, compiled by the toolchain.
  private struct Library {
    private typealias Function = @convention(c) () -> Void
    private let handle: UnsafeMutableRawPointer

    init() throws {
      let folder = FileManager.default.temporaryDirectory.appending(
        path: "library-\(UUID().uuidString)"
      )
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let source = folder.appending(path: "library.c")
      let code = """
        #include <pthread.h>
        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        void library_lock(void) { pthread_mutex_lock(&lock); }
        void library_unlock(void) { pthread_mutex_unlock(&lock); }
        """
      try code.write(to: source, atomically: true, encoding: .utf8)
      let library = folder.appending(path: "libowned.so").path
      let compiler = Process()
      compiler.executableURL = URL(filePath: "/usr/bin/env")
      compiler.arguments = ["clang", "-shared", "-fPIC", "-o", library, source.path]
      try compiler.run()
      compiler.waitUntilExit()
      handle = try #require(dlopen(library, RTLD_NOW))
    }

    func lock() { call("library_lock") }
    func unlock() { call("library_unlock") }

    private func call(_ name: String) {
      unsafeBitCast(dlsym(handle, name), to: Function.self)()
    }
  }

  @Test func `a wait for a lock of the user's library that another thread has is named`() throws {
    let library = try Library()
    let isLocked = DispatchSemaphore(value: 0)
    let mayUnlock = DispatchSemaphore(value: 0)
    nonisolated(unsafe) let shared = library
    Thread.detachNewThread {
      shared.lock()
      isLocked.signal()
      _ = mayUnlock.wait(timeout: .now() + 0.1)
      shared.unlock()
    }
    isLocked.wait()
    stage.enter {
      shared.lock()
      shared.unlock()
    }
    let waits = stage.takeLockWaits()
    #expect(waits.count == 1)
    #expect(waits.first?.hasPrefix("a wait for a lock that another thread had in ") == true)
  }
}
#endif
