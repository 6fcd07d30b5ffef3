/// Decides what a running attempt does to the state: yields, interrupts, retries, its end, and answers that come too
/// late.
extension LoadMachine {
  @inlinable
  mutating func yield(_ attempt: Attempt, _ yielded: State, _ effects: inout [Effect]) {
    let before = look()
    let counts = live[attempt]?.counts ?? false
    if counts {
      live.update(attempt) { $0.yields += 1 }
      write(yielded, &effects)
    }
    observe(.yielded(attempt, yielded, dropped: !counts), since: before, &effects)
  }

  @inlinable
  mutating func interrupt(
    _ attempt: Attempt,
    after delay: Duration,
    _ effects: inout [Effect]
  ) {
    guard isUndisturbed(attempt) else { return }
    observe(.interrupted(attempt, after: delay), since: look(), &effects)
  }

  @inlinable
  func observeRetry(_ attempt: Attempt, _ retry: Retry, _ effects: inout [Effect]) {
    guard live[attempt]?.counts ?? false else { return }
    let change = LoadObservation<State>.Change.retrying(
      attempt,
      failedTry: retry.failedTry,
      of: retry.tries,
      delay: retry.delay,
      error: retry.error
    )
    observe(change, since: look(), &effects)
  }

  @inlinable
  mutating func stop(_ attempt: Attempt, _ error: any Error, _ effects: inout [Effect]) {
    guard let record = live[attempt], record.counts, record.stoppedBy == nil else { return }
    let before = look()
    let answer = answer(to: .threw(error), after: record.yields)
    switch policy.deadlines {
    case .afterBlock:
      live.update(attempt) {
        $0.isCancelled = true
        $0.stoppedBy = error
      }
      effects.append(.cancel(attempt))
      observe(.stopped(attempt, answer, pending: true), since: before, &effects)
    case .onTime:
      disown(attempt, &effects)
      apply(answer, record.kind, &effects)
      observe(.stopped(attempt, answer, pending: false), since: before, &effects)
      if answer.isControl { cancelStored(by: attempt, &effects) }
    }
  }

  @inlinable
  mutating func end(
    _ attempt: Attempt,
    _ outcome: Outcome,
    taskWasCancelled: Bool,
    _ effects: inout [Effect]
  ) {
    let before = look()
    guard let record = live.remove(attempt) else { return }
    let answer = answer(to: outcome, after: record.yields)
    if let error = record.stoppedBy {
      endStopped(attempt, record, by: error, answer, since: before, &effects)
    } else if !record.counts {
      observe(.answered(attempt, answer, dropped: true), since: before, &effects)
    } else {
      let isCancelled = record.isCancelled || taskWasCancelled
      conclude(attempt, record, answer, isCancelled: isCancelled, since: before, &effects)
    }
    forgetStored(record.form, &effects)
    if record.counts { effects.append(.release(attempt)) }
  }

  /// Handles the end of a block that a thrown interrupt had stopped, under policies that wait for
  /// the block: first its own value, if the policy writes that, then the interrupt's error.
  @inlinable
  mutating func endStopped(
    _ attempt: Attempt,
    _ record: Record,
    by error: any Error,
    _ own: LoadObservation<State>.Answer,
    since before: Snapshot<State>?,
    _ effects: inout [Effect]
  ) {
    switch own {
    case .returned where policy.lateAnswers == .written:
      apply(own, record.kind, &effects)
      observe(.answered(attempt, own, dropped: false), since: before, &effects)
    case .returned, .failed, .askedToCancel, .askedToReset:
      observe(.answered(attempt, own, dropped: true), since: before, &effects)
    case .cancelled, .finishedYielding:
      break  // The interrupt ended it; the thrown error is the reason.
    }
    let thrown = answer(to: .threw(error), after: record.yields)
    conclude(attempt, record, thrown, isCancelled: false, since: look(), &effects)
  }

  @inlinable
  mutating func conclude(
    _ attempt: Attempt,
    _ record: Record,
    _ answer: LoadObservation<State>.Answer,
    isCancelled: Bool,
    since before: Snapshot<State>?,
    _ effects: inout [Effect]
  ) {
    let isDropped = isCancelled && isTooLate(answer)
    apply(isDropped ? .cancelled : answer, record.kind, &effects)
    observe(.answered(attempt, answer, dropped: isDropped), since: before, &effects)
    if answer.isControl { cancelStored(by: attempt, &effects) }
  }

  /// Returns whether the policy drops this answer of a cancelled task.
  @inlinable
  func isTooLate(_ answer: LoadObservation<State>.Answer) -> Bool {
    switch policy.lateAnswers {
    case .dropped: answer.isValue || answer.isFailure
    case .valuesDropped: answer.isValue
    case .written: false
    }
  }

  /// Writes the state that follows from an answer.
  @inlinable
  mutating func apply(
    _ answer: LoadObservation<State>.Answer,
    _ kind: State.Kind,
    _ effects: inout [Effect]
  ) {
    switch answer {
    case .returned(let output): write(.succeeded(kind, output), &effects)
    case .failed(let error): write(.failed(kind, because: error), &effects)
    case .askedToReset: rest(&effects)
    case .cancelled, .askedToCancel, .finishedYielding: land(&effects)
    }
  }

  /// Returns the answer that an outcome means under the policy.
  @inlinable
  func answer(to outcome: Outcome, after yields: Int) -> LoadObservation<State>.Answer {
    switch outcome {
    case .returned(let output?): return .returned(output)
    case .returned(nil): return .finishedYielding(count: yields)
    case .threw(let error):
      if error is CancellationError { return .cancelled }
      if policy.knowsPlatformCancellation, isCancellation(error) { return .cancelled }
      switch State.request(in: error) {
      case .cancel: return .askedToCancel
      case .reset: return .askedToReset
      case nil: return .failed(error)
      }
    }
  }

  /// Cancels the stored attempt because of a control error, under policies with a stored task.
  @inlinable
  mutating func cancelStored(by attempt: Attempt, _ effects: inout [Effect]) {
    guard policy.reach != .everyAttempt else { return }
    if policy.sharing == .instancesOfType { effects.append(.clearSlot(cancelling: true)) }
    let before = look()
    guard let target = cancelStored(&effects), target != attempt else { return }
    observe(.cancelledByOther(target, by: attempt), since: before, &effects)
  }

  @inlinable
  mutating func forgetStored(_ form: Form, _ effects: inout [Effect]) {
    guard policy.reach == .storedTaskUntilAnyEnds, form == .task else { return }
    if policy.sharing == .instancesOfType { effects.append(.clearSlot(cancelling: false)) }
    stored = nil
  }
}

extension LoadObservation.Answer {
  @inlinable
  var isControl: Bool {
    switch self {
    case .askedToCancel, .askedToReset: true
    case .returned, .finishedYielding, .cancelled, .failed: false
    }
  }

  @inlinable
  var isFailure: Bool {
    switch self {
    case .failed: true
    case .returned, .finishedYielding, .cancelled, .askedToCancel, .askedToReset: false
    }
  }

  @inlinable
  var isValue: Bool {
    switch self {
    case .returned: true
    case .finishedYielding, .cancelled, .askedToCancel, .askedToReset, .failed: false
    }
  }
}
