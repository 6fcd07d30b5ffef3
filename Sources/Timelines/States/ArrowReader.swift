/// Follows one lane through its events and says which arrow each of them is.
///
/// What it remembers of the events so far is all that the arrows of later ones depend on.
package struct ArrowReader: Hashable {
  package private(set) var phase: Recording.Phase
  /// Attempts that were replaced or cancelled, and whose blocks have not ended since.
  package private(set) var late: Set<Int> = []

  /// A lane at its beginning.
  package init(phase: Recording.Phase) {
    self.phase = phase
  }

  /// Takes the next event in; nil where it is no arrow.
  package mutating func read(_ event: Recording.Event) -> Arrow? {
    defer { follow(event) }
    guard let cause = cause(of: event) else { return nil }
    return Arrow(from: cause == .set ? nil : phase, cause: cause, to: event.phase ?? phase)
  }

  private func cause(of event: Recording.Event) -> Arrow.Cause? {
    let isLate = event.attempt.map(late.contains) ?? false
    return switch event.kind {
    case .started(let replacing, _): replacing == nil ? .start : .restart
    case .queued: .queue
    case .refused: .refuse
    case .yielded(let dropped): dropped ? .dropped : isLate ? .late : .yield
    case .stopped(let end, _): end == .failed ? .timeout : cause(of: end, event)
    // It obeyed.
    case .ended(.cancelled, true), .ended(.empty, true): nil
    case .ended(_, true): .dropped
    case .ended(.cancelled, false), .ended(.empty, false): .end
    case .ended(let end, false): isLate ? .late : cause(of: end, event)
    case .cancelled: .cancel
    case .reset: .reset
    case .assigned: .set
    case .interrupted, .retrying, .changed, .governed, .forgotten: nil
    }
  }

  private func cause(of end: Recording.End, _ event: Recording.Event) -> Arrow.Cause {
    switch end {
    // After its yields a block has nothing to add.
    case .succeeded: event.answer == nil ? .end : .value
    case .failed: .error
    case .cancelled, .empty: .end
    case .reset: .resetting
    }
  }

  private mutating func follow(_ event: Recording.Event) {
    phase = event.phase ?? phase
    switch event.kind {
    case .started(let attempt?, _): late.insert(attempt)
    case .cancelled, .reset, .assigned: event.attempt.map { _ = late.insert($0) }
    case .ended: event.attempt.map { _ = late.remove($0) }
    default: break
    }
  }
}
