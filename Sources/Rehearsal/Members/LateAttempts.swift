import Loading

/// Attempts that were replaced or cancelled while their blocks ran, and whose blocks still do.
struct LateAttempts {
  private var attempts: Set<Attempt> = []

  /// Whether the attempt that this is about had been replaced or cancelled before.
  func isLate<State>(_ change: LoadObservation<State>.Change) -> Bool {
    switch change {
    case .yielded(let attempt, _, _), .answered(let attempt, _, _): attempts.contains(attempt)
    default: false
    }
  }

  mutating func note<State>(_ change: LoadObservation<State>.Change) {
    switch change {
    case .started(_, _, _, let attempt?), .cancelled(let attempt?), .reset(let attempt?),
      .assigned(let attempt?), .cancelledByOther(let attempt, _):
      attempts.insert(attempt)
    case .answered(let attempt, _, _): attempts.remove(attempt)
    default: break
    }
  }
}
