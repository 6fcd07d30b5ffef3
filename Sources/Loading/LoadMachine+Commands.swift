/// Decides what `cancel`, `reset`, `set` and the cancellation of a waiting caller do to the state and to the attempts.
extension LoadMachine {
  @inlinable
  mutating func cancel(_ effects: inout [Effect]) {
    let before = look()
    let cancelled = cancelReachable(&effects)
    if cancelled.isEmpty, policy.cancelWhenSettled == .wipe, state.phase != .inFlight {
      write(.resting, &effects)
    }
    land(&effects)
    observe(.cancelled(cancelled.first), since: before, &effects)
    observeCancelled(cancelled.dropFirst(), &effects)
  }

  @inlinable
  mutating func reset(_ effects: inout [Effect]) {
    let before = look()
    rest(&effects)
    let cancelled = cancelReachable(&effects)
    observe(.reset(cancelled.first), since: before, &effects)
    observeCancelled(cancelled.dropFirst(), &effects)
  }

  @inlinable
  mutating func set(_ new: State, isWritten: Bool, _ effects: inout [Effect]) {
    let before = look()
    let cancelled = policy.manualWrites == .cancel ? cancelReachable(&effects) : []
    if isWritten { move(to: new) } else { write(new, &effects) }
    observe(.assigned(cancelling: cancelled.first), since: before, &effects)
    observeCancelled(cancelled.dropFirst(), &effects)
  }

  /// Cancels one attempt, because its awaiting caller was cancelled.
  @inlinable
  mutating func leave(_ attempt: Attempt, _ effects: inout [Effect]) {
    let before = look()
    if let index = waiting.firstIndex(where: { $0.attempt == attempt }) {
      waiting.remove(at: index)
      effects += [.discard(attempt), .release(attempt)]
    } else if live[attempt]?.counts ?? false {
      disown(attempt, &effects)
      land(&effects)
    } else {
      return  // It had ended before the caller's cancellation arrived.
    }
    observe(.cancelled(attempt), since: before, &effects)
  }

  @inlinable
  mutating func displace(cancelling: Bool, _ effects: inout [Effect]) {
    guard cancelling else {
      stored = nil
      return
    }
    let before = look()
    guard let target = cancelStored(&effects) else { return }
    observe(.cancelled(target), since: before, &effects)
  }

  /// Leaves the in-flight state after a cancellation, unless other attempts are in flight.
  @inlinable
  mutating func land(_ effects: inout [Effect]) {
    guard state.phase == .inFlight, current == nil else { return }
    switch policy.cancelLanding {
    case .previous: write(settled, &effects)
    case .resting: write(.resting, &effects)
    case .inFlight: break
    }
  }

  @inlinable
  mutating func rest(_ effects: inout [Effect]) {
    if isConstant { return }
    kept = nil
    if state.phase != .resting { write(.resting, &effects) }
  }

  /// Cancels the attempts that the policy lets `cancel` reach, and returns them, oldest first.
  @inlinable
  mutating func cancelReachable(_ effects: inout [Effect]) -> [Attempt] {
    if policy.reach != .everyAttempt {
      if policy.sharing == .instancesOfType { effects.append(.clearSlot(cancelling: true)) }
      return cancelStored(&effects).map { [$0] } ?? []
    }
    // Closures, because an unspecialised function creates a key path at each call.
    let running = live.all(above: lateUpTo) { $0.counts }
    let queued = waiting.map { $0.attempt }
    waiting = []
    for attempt in running { disown(attempt, &effects) }
    lateUpTo = attemptCount
    for attempt in queued { effects += [.discard(attempt), .release(attempt)] }
    return running + queued
  }

  @inlinable
  func observeCancelled(_ attempts: ArraySlice<Attempt>, _ effects: inout [Effect]) {
    for attempt in attempts { observe(.cancelled(attempt), since: look(), &effects) }
  }
}
