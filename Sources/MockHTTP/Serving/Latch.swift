import Synchronization

/// Something that one task waits for: it is opened once, by any thread, or its task is cancelled.
final class Latch: Sendable {
  private enum State {
    case closed
    case waiting(UnsafeContinuation<Void, any Error>)
    case over((any Error)?)
  }

  private let state = Mutex(State.closed)

  func open() { end(throwing: nil) }

  /// - Throws: `CancellationError` when the task is cancelled before.
  func wait() async throws {
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { begin($0) }
    } onCancel: {
      end(throwing: CancellationError())
    }
  }

  /// - Throws: `CancellationError` when the task is cancelled, which is the only end.
  func waitForever() async throws -> Never {
    try await wait()
    preconditionFailure("Nobody opens a latch that is waited for without end.")
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
