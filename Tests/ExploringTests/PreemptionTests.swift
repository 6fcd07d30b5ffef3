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

  /// A counter whose `increment` is correct only if nobody else runs between its two critical sections.
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
}
#endif
