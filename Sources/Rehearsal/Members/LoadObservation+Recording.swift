import Loading
import Timelines

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
  /// The attempt that it is about.
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

  /// Whether it comes with something that a picture writes beside it.
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
