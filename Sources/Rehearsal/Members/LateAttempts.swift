import Loading

/// Attempts that were replaced or cancelled while their blocks ran, and whose blocks still run.
struct LateAttempts {
  private var attempts: Set<Attempt> = []
  /// Attempts whose blocks have not begun, because they wait for the end of another attempt.
  private var waiting: Set<Attempt> = []

  /// Whether the attempt of this change had been replaced or cancelled before.
  func isLate<State>(_ change: LoadObservation<State>.Change) -> Bool {
    switch change {
    case .yielded(let attempt, _, _), .answered(let attempt, _, _): attempts.contains(attempt)
    default: false
    }
  }

  /// Returns a queued attempt that this change cancels: its block will never begin.
  func discarded<State>(by change: LoadObservation<State>.Change) -> Attempt? {
    guard !waiting.isEmpty else { return nil }
    return switch change {
    case .cancelled(let attempt?), .reset(let attempt?), .assigned(let attempt?):
      waiting.contains(attempt) ? attempt : nil
    default: nil
    }
  }

  mutating func note<State>(_ change: LoadObservation<State>.Change) {
    if let attempt = discarded(by: change) {
      waiting.remove(attempt)
      return
    }
    switch change {
    case .queued(let attempt, _): waiting.insert(attempt)
    case .started(let attempt, _, _, let replaced):
      if !waiting.isEmpty { waiting.remove(attempt) }
      if let replaced { attempts.insert(replaced) }
    case .cancelled(let attempt?), .reset(let attempt?),
      .assigned(let attempt?), .cancelledByOther(let attempt, _):
      attempts.insert(attempt)
    case .answered(let attempt, _, _):
      if !attempts.isEmpty { attempts.remove(attempt) }
    default: break
    }
  }
}
