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

  /// Ends the wait as the cancellation of its task would.
  func cancel() { end(throwing: CancellationError()) }

  /// - Throws: `CancellationError` when the task is cancelled before, or the wait.
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

/// The latches that somebody waits for, so that their waits can be ended.
struct Latches {
  private var isClosed = false
  private var count = 0
  private var waiting: [Int: Latch] = [:]

  /// - Returns: its number; nil where nobody is to wait any more.
  mutating func add(_ latch: Latch) -> Int? {
    if isClosed { return nil }
    count += 1
    waiting[count] = latch
    return count
  }

  mutating func remove(_ number: Int) { waiting[number] = nil }

  /// - Returns: all that are waited for, the oldest first.
  mutating func close() -> [Latch] {
    isClosed = true
    defer { waiting = [:] }
    return waiting.sorted { $0.key < $1.key }.map(\.value)
  }
}
