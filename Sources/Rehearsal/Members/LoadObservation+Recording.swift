import Loading
import Timelines

/// Translates observations of a load to the kinds, phases and answers of a recording.
extension Recording.Lane {
  /// The lane of a member with states. Its machine is `word` alone if its own code decides, and nil
  /// if it never changes.
  @MainActor init(name: String, word: String, initial: some ShellState, machine: String?) {
    self.init(
      name: name,
      word: word,
      initial: initial.text(attempt: nil),
      phase: Recording.Phase(initial.phase),
      machine: machine
    )
  }

  /// Returns the name of the state machine of a loadable or a process.
  static func machine(_ sort: MemberSort, policy: LoadingPolicy) -> String {
    // A policy keeps its name if its axes are changed one by one.
    let isNamed = LoadingPolicy.named(policy.name) == policy
    return "\(sort.rawValue) \(policy.name)" + (isNamed ? "" : " (changed)")
  }
}

extension Recording.Phase {
  init(_ phase: LifecyclePhase) {
    switch phase {
    case .resting: self = .resting
    case .inFlight: self = .inFlight
    case .succeeded: self = .succeeded
    case .failed: self = .failed
    }
  }
}

extension LoadObservation.Change {
  /// The attempt of the observation.
  var attempt: Attempt? {
    switch self {
    case .started(let attempt, _, _, _), .joined(let attempt), .queued(let attempt, _),
      .yielded(let attempt, _, _), .interrupted(let attempt, _), .stopped(let attempt, _, _),
      .answered(let attempt, _, _), .retrying(let attempt, _, _, _, _),
      .cancelledByOther(let attempt, _), .ignored(let attempt):
      attempt
    case .cancelled(let attempt), .reset(let attempt), .assigned(let attempt): attempt
    }
  }

  /// Whether it delivers a value or an error, which pictures print next to the event.
  var delivers: Bool {
    switch self {
    case .answered(_, let answer, _), .stopped(_, let answer, _): answer.delivers
    case .yielded, .retrying: true
    default: false
    }
  }

  var recordedKind: Recording.Kind {
    switch self {
    case .started(_, _, let silently, let replacing):
      .started(replacing: replacing?.number, silently: silently)
    case .ignored, .joined: .refused
    case .queued: .queued
    case .yielded(_, _, let dropped): .yielded(dropped: dropped)
    case .interrupted: .interrupted
    case .stopped(_, let answer, let pending): .stopped(answer.recordedEnd, pending: pending)
    case .answered(_, let answer, let dropped): .ended(answer.recordedEnd, dropped: dropped)
    case .retrying: .retrying
    case .cancelled, .cancelledByOther: .cancelled
    case .reset: .reset
    case .assigned: .assigned
    }
  }
}

extension LoadObservation.Answer {
  fileprivate var delivers: Bool {
    switch self {
    case .returned, .failed, .askedToCancel, .askedToReset: true
    case .finishedYielding, .cancelled: false
    }
  }

  var recordedEnd: Recording.End {
    switch self {
    case .returned: .succeeded
    case .finishedYielding(let count): count == 0 ? .empty : .succeeded
    case .cancelled, .askedToCancel: .cancelled
    case .askedToReset: .reset
    case .failed: .failed
    }
  }
}

extension LoadObservation.Change where State: ShellState {
  /// The kind of process that begins.
  @MainActor var recordedProcess: String? {
    if case .started(_, let kind, _, _) = self { State.name(of: kind) } else { nil }
  }

  /// The value or the error that was delivered.
  @MainActor var recordedAnswer: String? {
    switch self {
    case .yielded(_, let state, _): state.text(attempt: nil)
    case .answered(_, let answer, _), .stopped(_, let answer, _): answer.text
    case .retrying(_, _, _, _, let error): errorText(error)
    default: nil
    }
  }
}

extension LoadObservation.Answer where State: ShellState {
  @MainActor fileprivate var text: String? {
    switch self {
    case .returned(let output): State.text(of: output)
    case .failed(let error): errorText(error)
    case .askedToCancel: errorText(State.cancelError)
    case .askedToReset: errorText(State.resetError)
    case .finishedYielding, .cancelled: nil
    }
  }
}
