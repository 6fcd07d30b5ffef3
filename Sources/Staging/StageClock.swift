import Synchronization

/// A stage's own clock. A sleep on it makes no task, costs about half of `Task.sleep`, and ends at
/// once when its task is cancelled.
public struct StageClock: Clock {
  let stage: StageExecutor

  /// The stage's time. Another thread may read a value that is a moment old.
  public var now: StageInstant { StageInstant(nanoseconds: stage.nanoseconds) }

  /// One nanosecond. Deadlines between two are rounded up.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends the task until the stage reaches `deadline`. Sleepers of one instant wake in the
  /// order in which they began to sleep. A sleep whose deadline has passed ends at this instant,
  /// after those that already wait for it.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled, and when the stage is closed.
  nonisolated(nonsending) public func sleep(
    until deadline: StageInstant,
    tolerance: Duration? = nil
  ) async throws {
    try await suspend(until: deadline.nanoseconds)
  }

  /// Suspends the task for a duration, without leaving its actor, as the standard library's
  /// `sleep(for:)` does. A duration of zero or less ends at this instant.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled, and when the stage is closed.
  nonisolated(nonsending) public func sleep(for duration: Duration, tolerance: Duration? = nil)
    async throws
  {
    try await suspend(until: now.advanced(by: duration).nanoseconds)
  }

  /// Inlined, because another frame would stay allocated for every sleeping task.
  @inline(__always)
  nonisolated(nonsending) private func suspend(until deadline: Int64) async throws {
    if stage.isCurrent {
      try await stage.sleep(until: deadline)
    } else {
      try await sleepFromOutside(until: deadline, isolation: #isolation)
    }
  }

  /// Suspends a task that does not run on the stage: its requests go through the inbox.
  private func sleepFromOutside(
    until deadline: Int64,
    isolation: isolated (any Actor)?
  ) async throws {
    let sleep = OutsideSleep(deadline: deadline)
    try await withTaskCancellationHandler {
      _ = isolation  // Captured, so that the closure stays on the caller's actor.
      try await withUnsafeThrowingContinuation { continuation in
        sleep.begin(continuation)
        stage.inbox.post(.sleeper(sleep))
      }
    } onCancel: {
      sleep.end(throwing: CancellationError())
      stage.inbox.post(.wake(sleep))
    }
  }
}

/// A sleep on a stage's clock by a task that does not run on the stage.
final class OutsideSleep: @unchecked Sendable {
  private enum State {
    case notBegun
    case asleep(UnsafeContinuation<Void, any Error>)
    case over((any Error)?)
  }

  let deadline: Int64
  private let state = Mutex<State>(.notBegun)
  /// Its slot among the sleepers. Used only on the stage's thread.
  var place: SleeperID?

  init(deadline: Int64) {
    self.deadline = deadline
  }

  var isOver: Bool {
    state.withLock { if case .over = $0 { true } else { false } }
  }

  func begin(_ continuation: UnsafeContinuation<Void, any Error>) {
    let error: (any Error)?? = state.withLock { state in
      if case .over(let error) = state { return .some(error) }
      state = .asleep(continuation)
      return nil
    }
    if case .some(let error) = error { resume(continuation, throwing: error) }
  }

  /// Ends the sleep. Only the first call has an effect.
  func end(throwing error: (any Error)?) {
    let continuation: UnsafeContinuation<Void, any Error>? = state.withLock { state in
      defer { if case .over = state {} else { state = .over(error) } }
      guard case .asleep(let continuation) = state else { return nil }
      return continuation
    }
    if let continuation { resume(continuation, throwing: error) }
  }

  private func resume(
    _ continuation: UnsafeContinuation<Void, any Error>,
    throwing error: (any Error)?
  ) {
    if let error { continuation.resume(throwing: error) } else { continuation.resume() }
  }
}
