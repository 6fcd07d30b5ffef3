import Loading
import RehearsalBase
import Script

/// Converts observations of a user's types to values and kinds as the shell prints them.
extension LoadObservation {
  /// Converts the states of the observation to another type.
  func mapped<Other>(
    state: (State) -> Other,
    output: (State.Output) -> Other.Output,
    kind: (State.Kind) -> Other.Kind
  ) -> LoadObservation<Other> {
    LoadObservation<Other>(
      change: change.mapped(state: state, output: output, kind: kind),
      before: Snapshot(state: state(before.state), attempt: before.attempt),
      after: Snapshot(state: state(after.state), attempt: after.attempt)
    )
  }
}

extension LoadObservation.Change {
  fileprivate func mapped<Other>(
    state: (State) -> Other,
    output: (State.Output) -> Other.Output,
    kind: (State.Kind) -> Other.Kind
  ) -> LoadObservation<Other>.Change {
    switch self {
    case .started(let attempt, let started, let silently, let replacing):
      .started(attempt, kind: kind(started), silently: silently, replacing: replacing)
    case .ignored(let attempt): .ignored(because: attempt)
    case .joined(let attempt): .joined(attempt)
    case .queued(let attempt, let behind): .queued(attempt, behind: behind)
    case .yielded(let attempt, let yielded, let dropped):
      .yielded(attempt, state(yielded), dropped: dropped)
    case .interrupted(let attempt, let time): .interrupted(attempt, after: time)
    case .stopped(let attempt, let answer, let pending):
      .stopped(attempt, answer.mapped(output), pending: pending)
    case .answered(let attempt, let answer, let dropped):
      .answered(attempt, answer.mapped(output), dropped: dropped)
    case .retrying(let attempt, let failedTry, let tries, let delay, let error):
      .retrying(attempt, failedTry: failedTry, of: tries, delay: delay, error: error)
    case .cancelled(let attempt): .cancelled(attempt)
    case .reset(let attempt): .reset(attempt)
    case .assigned(let attempt): .assigned(cancelling: attempt)
    case .cancelledByOther(let attempt, let other): .cancelledByOther(attempt, by: other)
    }
  }
}

extension LoadObservation.Answer {
  fileprivate func mapped<Other>(
    _ output: (State.Output) -> Other.Output
  ) -> LoadObservation<Other>.Answer {
    switch self {
    case .returned(let value): .returned(output(value))
    case .finishedYielding(let count): .finishedYielding(count: count)
    case .cancelled: .cancelled
    case .askedToCancel: .askedToCancel
    case .askedToReset: .askedToReset
    case .failed(let error): .failed(error)
    }
  }
}

// MARK: The user's states in the terms of the shell

extension LoadObservation {
  /// An observation of a loadable, with its values as the shell prints them.
  func shown<Value>() -> LoadObservation<LoadableState<JSONValue>>
  where State == LoadableState<Value> {
    mapped(
      state: { $0.map { JSONValue(showing: $0) } },
      output: { JSONValue(showing: $0) },
      kind: {}
    )
  }

  /// An observation of a process, with its kinds as the shell prints them.
  func shown<Kind: SendableMetatype>() -> LoadObservation<ProcessState<ShellKind>>
  where State == ProcessState<Kind> {
    mapped(
      state: { $0.mapped { ShellKind(showing: $0) } },
      output: {},
      kind: { ShellKind(showing: $0) }
    )
  }
}

extension ProcessState {
  fileprivate func mapped<Other>(_ kind: (ProcessKind) -> Other) -> ProcessState<Other> {
    switch self {
    case .idle: .idle
    case .running(let process): .running(kind(process))
    case .failed(let process, let error): .failed(process: kind(process), error: error)
    case .finished(let process): .finished(kind(process))
    }
  }
}

extension ShellKind {
  /// Creates the kind for a value of the type of the user. If the type has one kind, it has no
  /// name.
  fileprivate init<Kind>(showing kind: Kind) {
    if let single = kind as? SingleProcess {
      self = .single(single)
    } else if case .string(let name) = JSONValue(showing: kind) {
      self = .named(name)
    } else {
      self = .named(JSONValue(showing: kind).text)
    }
  }
}
