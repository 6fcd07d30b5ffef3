import Synchronization

/// Suspends one caller until the attempt that it waits for is over, or until it is cancelled
/// itself, whichever comes first.
@usableFromInline
final class AttemptWaiter: Sendable {
  @usableFromInline
  enum Reason: Sendable {
    /// The attempt is over.
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

  /// To be called once.
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

  /// Only the first call has an effect. From any thread.
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
