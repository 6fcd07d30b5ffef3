/// Decides whether a start begins, waits, shares an attempt or is refused, and which attempts it replaces.
extension LoadMachine {
  @inlinable
  mutating func start(
    _ kind: State.Kind,
    silently: Bool,
    form: Form,
    _ effects: inout [Effect]
  ) {
    guard let current else {
      return begin(nextAttempt(), kind, silently: silently, form: form, &effects)
    }
    switch policy.whileLoading {
    case .restart, .parallel:
      begin(nextAttempt(), kind, silently: silently, form: form, &effects)
    case .ignore:
      observe(.ignored(because: current), since: look(), &effects)
      effects.append(.refuse)
    case .join:
      let before = look()
      if !silently { showInFlight(kind, &effects) }
      observe(.joined(current), since: before, &effects)
      effects.append(.join(current))
    case .queue:
      enqueue(kind, silently: silently, form: form, behind: current, &effects)
    }
  }

  @inlinable
  mutating func enqueue(
    _ kind: State.Kind,
    silently: Bool,
    form: Form,
    behind current: Attempt,
    _ effects: inout [Effect]
  ) {
    let before = look()
    let last = waiting.last?.attempt ?? current
    let attempt = nextAttempt()
    waiting.append(Waiting(attempt: attempt, kind: kind, silently: silently, form: form))
    observe(.queued(attempt, behind: last), since: before, &effects)
    effects.append(.enqueue(attempt))
  }

  /// Begins the attempt that has waited longest, if nothing is in flight.
  @inlinable
  mutating func beginWaiting(_ effects: inout [Effect]) {
    guard !waiting.isEmpty, current == nil else { return }
    let next = waiting.removeFirst()
    begin(next.attempt, next.kind, silently: next.silently, form: next.form, &effects)
  }

  @inlinable
  mutating func begin(
    _ attempt: Attempt,
    _ kind: State.Kind,
    silently: Bool,
    form: Form,
    _ effects: inout [Effect]
  ) {
    let before = look()
    let replaced = replace(for: attempt, form: form, &effects)
    if !silently { showInFlight(kind, &effects) }
    live.insert(Record(kind: kind, form: form), for: attempt)
    lateUpTo = min(lateUpTo, attempt.number - 1)
    let start = LoadObservation<State>.Change.started(
      attempt,
      kind: kind,
      silently: silently,
      replacing: replaced
    )
    observe(start, since: before, &effects)
    effects.append(.begin(attempt))
  }

  @inlinable
  mutating func showInFlight(_ kind: State.Kind, _ effects: inout [Effect]) {
    guard policy.rewritesInFlight || !state.isInFlight(as: kind) else { return }
    write(.inFlight(kind), &effects)
  }

  /// Ends the attempts that a new attempt replaces, and returns the current one of them.
  @inlinable
  mutating func replace(
    for attempt: Attempt,
    form: Form,
    _ effects: inout [Effect]
  ) -> Attempt? {
    guard policy.reach == .everyAttempt else {
      return replaceStored(by: attempt, form: form, &effects)
    }
    guard policy.whileLoading != .parallel, let current else { return nil }
    for late in live.all(above: lateUpTo, where: \.counts) { disown(late, &effects) }
    lateUpTo = attempt.number - 1
    return current
  }

  @inlinable
  mutating func replaceStored(
    by attempt: Attempt,
    form: Form,
    _ effects: inout [Effect]
  ) -> Attempt? {
    if form == .async, policy.asyncStarts == .leaveStored { return nil }
    if policy.sharing == .instancesOfType { effects.append(.clearSlot(cancelling: true)) }
    return cancelStored(&effects)
  }

  /// Stores the task of an attempt that has begun, and returns whether other slots share the stored task.
  ///
  /// Called when the task exists, after all effects of the start: what an observer of the in-flight state cancels or
  /// starts meanwhile is another attempt, as in Processed.
  @inlinable
  package mutating func store(_ attempt: Attempt) -> Bool {
    guard let form = live[attempt]?.form else { return false }
    if policy.reach == .everyAttempt {
      // For a policy with a stored task that may be set later.
      stored = form == .task ? attempt : nil
      return false
    }
    guard form == .task || policy.asyncStarts == .likeTasks else { return false }
    stored = attempt
    return form == .task && policy.sharing == .instancesOfType
  }

  /// Requests cancellation of the stored attempt, which may still write as far as the policy
  /// allows.
  ///
  /// Returns the attempt if its block still runs undisturbed.
  @inlinable
  mutating func cancelStored(_ effects: inout [Effect]) -> Attempt? {
    guard let target = stored else { return nil }
    stored = nil
    guard isUndisturbed(target) else { return nil }
    live.update(target) { $0.isCancelled = true }
    effects.append(.cancel(target))
    return target
  }

  /// Cancels an attempt permanently: all its later answers are late.
  @inlinable
  mutating func disown(_ attempt: Attempt, _ effects: inout [Effect]) {
    live.update(attempt) {
      $0.counts = false
      $0.isCancelled = true
    }
    effects.append(.cancel(attempt))
    effects.append(.release(attempt))
  }
}
