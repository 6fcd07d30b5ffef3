import Staging
import Synchronization

/// The wait of one task. It ends once: with a value, or because the task is cancelled.
final class Suspension<Value: Sendable>: Sendable {
  private enum State {
    case created
    case waiting(UnsafeContinuation<Value, any Error>)
    case ended(Result<Value, any Error>)
  }

  private let state = Mutex<State>(.created)

  /// Ends the wait, if it has not ended.
  ///
  /// - Returns: whether it had not ended before.
  func end(_ result: Result<Value, any Error>) -> Bool {
    var waiting: UnsafeContinuation<Value, any Error>?
    let isFirst = state.withLock { state in
      switch state {
      case .ended: return false
      case .waiting(let continuation): waiting = continuation
      case .created: break
      }
      state = .ended(result)
      return true
    }
    waiting?.resume(with: result)
    return isFirst
  }

  /// Waits for the end.
  ///
  /// - Parameter wait: returns what the task waits for, for reports.
  /// - Returns: the value.
  /// - Throws: `CancellationError` if the task is cancelled before the end.
  func value(_ wait: @escaping @Sendable () -> NamedWait) async throws -> Value {
    try await Stage.naming(wait) {
      try await withTaskCancellationHandler {
        try await withUnsafeThrowingContinuation { continuation in
          let ended: Result<Value, any Error>? = state.withLock { state in
            if case .ended(let result) = state { return result }
            state = .waiting(continuation)
            return nil
          }
          if let ended { continuation.resume(with: ended) }
        }
      } onCancel: {
        _ = end(.failure(CancellationError()))
      }
    }
  }
}

/// An actor that each task enters before it uses a lock, a channel or a latch: a hop is a scheduling point.
actor Gate {
  /// Calls `body` on the actor. Not inlined, because without code on the actor there is no hop.
  @inline(never)
  func enter<Value: Sendable>(_ body: @Sendable () -> Value) -> Value { body() }
}

/// Returns how reports name a lock, a channel or a latch: by its name, or by the line that creates it.
func reportedName(_ type: String, _ name: String?, _ fileID: String, _ line: Int) -> String {
  name.map { "\(type) '\($0)'" }
    ?? "the \(type) of \(fileID.split(separator: "/").last ?? ""):\(line)"
}
