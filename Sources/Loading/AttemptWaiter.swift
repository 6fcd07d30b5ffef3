import Synchronization

/// Suspends one caller until its attempt has ended or its task is cancelled, whichever comes first.
@usableFromInline
final class AttemptWaiter: Sendable {
  @usableFromInline
  enum Reason: Sendable {
    /// The attempt has ended.
    case over
    /// The caller's task was cancelled.
    case left
  }

  @usableFromInline
  enum Phase {
    case created
    case waiting(CheckedContinuation<Reason, Never>)
    case resumed(Reason)
  }

  private let phase = Mutex(Phase.created)

  @usableFromInline
  init() {}

  /// Suspends the caller. Call it once.
  @usableFromInline
  func wait(isolation: isolated (any Actor)?) async -> Reason {
    await withCheckedContinuation(isolation: isolation) { continuation in
      let reason = phase.withLock { phase -> Reason? in
        if case .resumed(let reason) = phase { return reason }
        phase = .waiting(continuation)
        return nil
      }
      if let reason { continuation.resume(returning: reason) }
    }
  }

  /// Resumes the caller. Only the first call has an effect. For any thread.
  @usableFromInline
  func resume(_ reason: Reason) {
    let continuation = phase.withLock { phase -> CheckedContinuation<Reason, Never>? in
      switch phase {
      case .created:
        phase = .resumed(reason)
        return nil
      case .waiting(let continuation):
        phase = .resumed(reason)
        return continuation
      case .resumed:
        return nil
      }
    }
    continuation?.resume(returning: reason)
  }
}
