#if os(Linux) && canImport(Glibc)
import Exploring
import Foundation
import Synchronization
import Testing

/// Searches that interrupt synchronous code at locks.
@MainActor @Suite struct PreemptionTests {
  enum Kind: CaseIterable {
    case nsLock, recursive, condition, pthread, readWriteLock, mutex
  }

  /// A counter whose `increment` is correct only if no other code runs between its two critical sections.
  private final class Counter: @unchecked Sendable {
    private let kind: Kind
    private let nsLock = NSLock()
    private let recursive = NSRecursiveLock()
    private let condition = NSCondition()
    private let mutex = Mutex(())
    private let readWriteLock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
    private let pthread = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var count = 0

    init(_ kind: Kind) {
      self.kind = kind
      pthread_mutex_init(pthread, nil)
      pthread_rwlock_init(readWriteLock, nil)
    }

    deinit {
      pthread_mutex_destroy(pthread)
      pthread.deallocate()
      pthread_rwlock_destroy(readWriteLock)
      readWriteLock.deallocate()
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
      switch kind {
      case .nsLock: return nsLock.withLock(body)
      case .recursive: return recursive.withLock(body)
      case .condition: return condition.withLock(body)
      case .readWriteLock:
        pthread_rwlock_wrlock(readWriteLock)
        defer { pthread_rwlock_unlock(readWriteLock) }
        return body()
      case .mutex: return mutex.withLock { _ in body() }
      case .pthread:
        pthread_mutex_lock(pthread)
        defer { pthread_mutex_unlock(pthread) }
        return body()
      }
    }

    var value: Int { locked { count } }

    func increment() {
      let old = value
      locked { count = old + 1 }
    }

    func incrementAtOnce() { locked { count += 1 } }
  }

  private func search(
    _ kind: Kind,
    _ strategy: Strategy,
    preempting preemption: Preemption? = .locks,
    _ increment: @escaping @Sendable (Counter) -> Void
  ) -> Findings {
    Exploration.explore(.init(strategy, seeds: 0..<300), preempting: preemption) { run in
      let counter = Counter(kind)
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { increment(counter) } }
      }
      let value = counter.value
      run.check(value == 2, "no increment is lost", "\(value)")
    }
  }

  nonisolated static let strategies: [Strategy] = [
    .exhaustive, .random, .pct(changes: 2), .pos, .urw, .surw, .mixed(changes: 3),
  ]

  @Test(arguments: Kind.allCases, strategies)
  func `an update between two critical sections is lost`(kind: Kind, strategy: Strategy) {
    let findings = search(kind, strategy) { $0.increment() }
    #expect(findings.failures.map(\.rule) == ["no increment is lost"])
    #expect(findings.runs < 100)
  }

  @Test(arguments: Kind.allCases, strategies)
  func `an update in one critical section is not lost`(kind: Kind, strategy: Strategy) {
    let findings = search(kind, strategy) { $0.incrementAtOnce() }
    #expect(findings.failures.isEmpty)
  }

  /// A gate that checks whether it is open in one critical section, and registers a waiter in another.
  private final class Gate: Sendable {
    private struct State {
      var isOpen = false
      var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func open() {
      let waiter = state.withLock { state in
        state.isOpen = true
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume()
    }

    func wait() async {
      await withCheckedContinuation { continuation in
        if state.withLock(\.isOpen) { return continuation.resume() }
        state.withLock { $0.waiter = continuation }
      }
    }
  }

  @Test(arguments: strategies)
  func `a wait forever between two critical sections of a mutex is found`(strategy: Strategy) {
    let findings = Exploration.explore(
      .init(strategy, seeds: 0..<300),
      leavesNothing: true,
      preempting: .locks
    ) { _ in
      let gate = Gate()
      async let opening: Void = Task.detached { gate.open() }.value
      await Task.detached { await gate.wait() }.value
      await opening
    }
    #expect(findings.failures.map(\.rule) == ["the scenario returns"])
  }

  @Test(arguments: Kind.allCases)
  func `without the option no synchronous code is interrupted`(kind: Kind) {
    let findings = search(kind, .exhaustive, preempting: nil) { $0.increment() }
    #expect(findings.failures.isEmpty)
  }

  // MARK: Code around locks

  /// Two critical sections, each with a second lock inside.
  private final class Nested: @unchecked Sendable {
    private let (outer, inner) = (NSLock(), NSLock())
    private(set) var count = 0

    func increment() {
      let old = outer.withLock { inner.withLock { count } }
      outer.withLock { inner.withLock { count = old + 1 } }
    }
  }

  private func explore(
    _ strategy: Strategy = .exhaustive,
    _ scenario: @escaping @MainActor (ExploredRun) async throws -> Void
  ) -> Findings {
    let plan = Exploration.Plan(strategy, seeds: 0..<2_000)
    return Exploration.explore(
      plan,
      limit: 1_000,
      leavesNothing: true,
      preempting: .locks,
      scenario
    )
  }

  /// Starts a task twice, and waits for both.
  private nonisolated static func twice(_ body: @escaping @Sendable () -> Void) async {
    await withTaskGroup { group in
      for _ in 0..<2 { group.addTask { body() } }
    }
  }

  @Test(arguments: strategies)
  func `an update between two sections with nested locks is lost`(strategy: Strategy) {
    let findings = explore(strategy) { run in
      let nested = Nested()
      await Self.twice { nested.increment() }
      run.check(nested.count == 2, "no increment is lost")
    }
    #expect(findings.failures.map(\.rule) == ["no increment is lost"])
  }

  /// One thread runs all code of a stage.
  private final class Log: @unchecked Sendable {
    var lines: [String] = []
  }

  /// After the first section of one task, only the other task can run, which waits for the lock.
  @Test func `a task that waits for a lock may run as soon as it is unlocked`() {
    let findings = explore { run in
      let (outer, inner, log) = (NSLock(), NSLock(), Log())
      Task.detached {
        outer.withLock {
          log.lines.append("a1")
          inner.withLock {}
        }
        log.lines.append("a2")
      }
      Task.detached { outer.withLock { log.lines.append("b") } }
      await run.settle()
      run.note(log.lines.joined(separator: " "))
    }
    let seen = Set(findings.groups.map { $0.outcome.seen.joined() })
    #expect(seen == ["a1 a2 b", "a1 b a2", "b a1 a2"])
    #expect(findings.end == .complete)
  }

  @Test func `a writer waits in virtual time for a reader that was interrupted`() {
    let findings = explore { run in
      let locks = ReadWriteLock()
      let lock = NSLock()
      let log = Log()
      Task.detached {
        pthread_rwlock_rdlock(locks.lock)
        lock.withLock {}
        pthread_rwlock_unlock(locks.lock)
        log.lines.append("over")
      }
      Task.detached {
        pthread_rwlock_wrlock(locks.lock)
        pthread_rwlock_unlock(locks.lock)
        log.lines.append("over")
      }
      await run.settle()
      run.check(log.lines.count == 2, "both end")
    }
    #expect(findings.failures.isEmpty)
    #expect(findings.end == .complete)
  }

  private final class ReadWriteLock: @unchecked Sendable {
    let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
    init() { pthread_rwlock_init(lock, nil) }
    deinit {
      pthread_rwlock_destroy(lock)
      lock.deallocate()
    }
  }

  /// A value whose description locks.
  private struct Locking: CustomStringConvertible, Sendable {
    let lock: NSLock
    var description: String { lock.withLock { "" } }
  }

  @Test func `a task is not interrupted while it prints`() {
    let findings = explore { _ in
      let value = Locking(lock: NSLock())
      await Self.twice { print(value, terminator: "") }
    }
    #expect(findings.failures.isEmpty)
    #expect(findings.end == .complete)
  }

  private final class Plain: @unchecked Sendable {
    let lock = NSLock()
    var count = 0
  }

  @Test func `a method in an extension of a standard type is interrupted`() {
    let findings = explore { run in
      let counter = Plain()
      await Self.twice {
        [counter.lock].increment {
          counter.count
        } set: {
          counter.count = $0
        }
      }
      run.check(counter.count == 2, "no increment is lost")
    }
    #expect(findings.failures.map(\.rule) == ["no increment is lost"])
  }

  @Test func `a loop that locks and never ends is stopped`() {
    let findings = Exploration.explore(
      .init(.random, seeds: 0..<5),
      limit: 1_000,
      preempting: .locks
    ) { _ in
      let lock = NSLock()
      await Self.twice { while true { lock.withLock {} } }
    }
    #expect(findings.inconclusiveRuns == 6)
  }

  @Test func `trying to lock is no scheduling point`() {
    let findings = explore { _ in
      let lock = NSLock()
      await Self.twice { if lock.try() { lock.unlock() } }
    }
    let without = Exploration.explore(.init(.exhaustive), leavesNothing: true) { _ in
      await Self.twice {}
    }
    #expect(findings.failures.isEmpty)
    // The calls of `unlock` are.
    #expect(findings.runs > without.runs)
  }
}

extension [NSLock] {
  /// Adds 1 in two critical sections.
  fileprivate func increment(_ get: () -> Int, set: (Int) -> Void) {
    self[0].lock()
    let old = get()
    self[0].unlock()
    self[0].lock()
    set(old + 1)
    self[0].unlock()
  }
}
#endif
