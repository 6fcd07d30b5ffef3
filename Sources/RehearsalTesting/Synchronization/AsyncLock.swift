import Staging
import Synchronization

/// A lock that a task may hold while it awaits.
///
///     let lock = AsyncLock("accounts")
///     try await lock.withLock {
///       balance = try await load() - amount
///     }
///
/// The lock is fair: tasks get it in the order of their requests. It is not reentrant: a task that asks for the lock
/// it holds waits forever. If nothing is left to do, a failure names the lock and the task that holds it.
///
/// On the stage, each request is a scheduling point, so a search tries other tasks before it. Elsewhere the lock works in
/// real time.
public final class AsyncLock: Sendable {
  //     free ──acquire──▶ held ──release──▶ free
  //                        └──release──▶ held by the first task that waits and is not cancelled
  private struct State {
    var isHeld = false
    /// The task that holds the lock.
    var holder: Stage.TaskID?
    var waiters: [Waiter] = []
  }

  private struct Waiter: Sendable {
    let task: Stage.TaskID?
    let suspension = Suspension<Void>()
  }

  private let state = Mutex(State())
  private let gate = Gate()
  private let name: String

  /// Creates a lock that no task holds.
  ///
  /// - Parameters:
  ///   - name: the name in reports; nil to name the line of the call.
  ///   - fileID: the file of the call.
  ///   - line: the line of the call.
  public init(_ name: String? = nil, fileID: String = #fileID, line: Int = #line) {
    self.name = reportedName("AsyncLock", name, fileID, line)
  }

  /// Waits for the lock, and holds it while `body` runs.
  ///
  /// If the task is cancelled before it has the lock, it does not get it, even if the lock is free. After that, cancellation
  /// has the effect that `body` gives it.
  ///
  /// - Parameter body: the code that needs the lock. It runs in the isolation of the caller.
  /// - Returns: the value of `body`.
  /// - Throws: `CancellationError` if the task is cancelled before it has the lock; the error of `body`.
  public func withLock<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await acquire()
    defer { release() }
    return try await body()
  }

  private func acquire() async throws {
    try Task.checkCancellation()
    let task = Stage.currentTask
    if let waiter = await gate.enter({ self.takeOrWait(task) }) {
      do {
        try await waiter.suspension.value { NamedWait(self.name, holder: self.holder) }
      } catch {
        state.withLock { $0.waiters.removeAll { $0.suspension === waiter.suspension } }
        throw error
      }
    }
    // Cancelled on the way.
    if Task.isCancelled {
      release()
      throw CancellationError()
    }
  }

  private var holder: Stage.TaskID? { state.withLock(\.holder) }

  /// Gives the lock to a task if it is free; otherwise returns how the task waits.
  private func takeOrWait(_ task: Stage.TaskID?) -> Waiter? {
    state.withLock { state in
      guard state.isHeld else {
        (state.isHeld, state.holder) = (true, task)
        return nil
      }
      let waiter = Waiter(task: task)
      state.waiters.append(waiter)
      return waiter
    }
  }

  private func release() {
    Stage.noteSharedEffect()
    state.withLock { state in
      while !state.waiters.isEmpty {
        let next = state.waiters.removeFirst()
        // If the task is cancelled before it continues, it releases the lock.
        if next.suspension.end(.success(())) {
          state.holder = next.task
          return
        }
      }
      (state.isHeld, state.holder) = (false, nil)
    }
  }
}
