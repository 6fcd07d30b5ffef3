import Synchronization

/// A latch that one task waits for. Any thread can open it, once; cancelling the task ends the
/// wait.
final class SingleLatch: Sendable {
  private enum State {
    case closed
    case waiting(UnsafeContinuation<Void, any Error>)
    case over((any Error)?)
  }

  private let state = Mutex(State.closed)

  func open() { end(throwing: nil) }

  /// Ends the wait with a `CancellationError`.
  func cancel() { end(throwing: CancellationError()) }

  /// Waits until the latch is opened.
  ///
  /// - Throws: `CancellationError` if the task or the wait is cancelled before.
  func wait() async throws {
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { begin($0) }
    } onCancel: {
      cancel()
    }
  }

  private func begin(_ continuation: UnsafeContinuation<Void, any Error>) {
    let end: (any Error)?? = state.withLock { state in
      if case .over(let error) = state { return .some(error) }
      state = .waiting(continuation)
      return nil
    }
    if let end { Self.resume(continuation, throwing: end) }
  }

  private func end(throwing error: (any Error)?) {
    let continuation: UnsafeContinuation<Void, any Error>? = state.withLock { state in
      defer { if case .over = state {} else { state = .over(error) } }
      guard case .waiting(let continuation) = state else { return nil }
      return continuation
    }
    if let continuation { Self.resume(continuation, throwing: error) }
  }

  private static func resume(
    _ continuation: UnsafeContinuation<Void, any Error>,
    throwing error: (any Error)?
  ) {
    if let error { continuation.resume(throwing: error) } else { continuation.resume() }
  }
}

/// The latches with a waiting task, so that the server can end their waits.
struct Latches {
  private var isClosed = false
  private var count = 0
  private var waiting: [Int: SingleLatch] = [:]

  /// Adds a latch.
  ///
  /// - Returns: its number, nil after `close`.
  mutating func add(_ latch: SingleLatch) -> Int? {
    if isClosed { return nil }
    count += 1
    waiting[count] = latch
    return count
  }

  mutating func remove(_ number: Int) { waiting[number] = nil }

  /// Removes all latches and accepts no more.
  ///
  /// - Returns: the latches, oldest first.
  mutating func close() -> [SingleLatch] {
    isClosed = true
    defer { waiting = [:] }
    return waiting.sorted { $0.key < $1.key }.map(\.value)
  }
}
