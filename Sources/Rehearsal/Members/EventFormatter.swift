import Loading
import RehearsalBase
import Script

/// Writes the event line of a load or process: the change of state, and its cause.
@MainActor struct EventFormatter<State: ShellState> {
  let observation: LoadObservation<State>
  /// Whether the attempt of the event had been replaced or cancelled before.
  let isOfLateAttempt: Bool
  /// Whether the member's state never changes.
  let isOfConstant: Bool

  private let before: String
  private let after: String
  /// The change of state; nil if it stays the same.
  private let transition: String?

  init(observation: LoadObservation<State>, isOfLateAttempt: Bool, isOfConstant: Bool) {
    self.observation = observation
    self.isOfLateAttempt = isOfLateAttempt
    self.isOfConstant = isOfConstant
    before = observation.before.state.text(attempt: observation.before.attempt)
    after = observation.after.state.text(attempt: observation.after.attempt)
    transition = before == after ? nil : before + " → " + after
  }

  /// The event as text; nil if the event needs no line: a replaced attempt that ends because it was
  /// cancelled.
  var text: String? {
    switch observation.change {
    case .started(let attempt, _, let silently, let replacing):
      return started(attempt, silently: silently, replacing: replacing)
    case .ignored(let attempt): return "not started: \(attempt) is still in flight"
    case .joined(let attempt): return "joins \(attempt), which is still in flight"
    case .queued(let attempt, let behind): return "\(attempt) waits for \(behind)"
    case .yielded(let attempt, let state, let dropped):
      return yielded(attempt, state, dropped: dropped)
    case .interrupted(let attempt, let time):
      return "\(attempt) interrupted after \(time.compact)"
    case .stopped(let attempt, let answer, let pending):
      let text = change("\(attempt) \(Self.reason(answer))")
      return pending ? text + "; waits for its block" : text
    case .answered(let attempt, let answer, let dropped):
      return dropped ? late(attempt, answer) : answered(attempt, answer)
    case .retrying(let attempt, let failedTry, let tries, let delay, let error):
      let wait = delay == .zero ? "at once" : "in \(delay.compact)"
      return "\(attempt) try \(failedTry) of \(tries) failed: \(errorText(error)); next \(wait)"
    case .cancelled(let attempt?): return change("\(attempt) cancelled")
    case .cancelled(nil): return cancelledNothing
    case .reset(let attempt?): return change("\(attempt) cancelled")
    case .reset(nil): return (transition ?? already) + others
    case .assigned(let cancelling):
      let suffix = cancelling.map { ", \($0) cancelled" } ?? others
      return (transition.map { $0 + ", set by hand" } ?? already) + suffix
    case .cancelledByOther(let attempt, let other):
      return change("\(attempt) cancelled by \(other)")
    }
  }

  // MARK: Parts

  /// Whether the state before the event shows this attempt as in flight.
  private func isShown(_ attempt: Attempt) -> Bool {
    observation.before.state.phase == .inFlight && observation.before.attempt == attempt
  }

  /// The change of state and its cause; if the state stays the same, its cause and the state.
  private func change(_ cause: String) -> String {
    if let transition { return transition + ", " + cause }
    return cause + "; " + (observation.after.state.phase == .inFlight ? "still " : "stays ") + after
  }

  /// The text for a manual write that changed nothing.
  private var already: String { isOfConstant ? "constant; stays \(after)" : "\(after) already" }

  /// The text for an attempt that is still in flight after this event.
  private var others: String {
    observation.after.attempt.map { ", \($0) continues" } ?? ""
  }

  private var cancelledNothing: String {
    if let transition { return transition + others }
    guard let attempt = observation.after.attempt else {
      return "\(after); nothing in flight to cancel"
    }
    return change("cancel does not reach \(attempt)")
  }

  private func started(_ attempt: Attempt, silently: Bool, replacing: Attempt?) -> String {
    if silently, observation.before.state.phase != .inFlight {
      let other = replacing.map { ", replacing \($0)" } ?? ""
      return "\(attempt) started silently\(other); stays \(after)"
    }
    let start = transition ?? "\(attempt) started; still \(after)"
    if let replacing, observation.before.state.phase != .inFlight {
      return start + ", replacing \(replacing)"
    }
    if replacing == nil, let other = observation.before.attempt {
      return start + ", \(other) continues"
    }
    return start
  }

  private func yielded(_ attempt: Attempt, _ state: State, dropped: Bool) -> String {
    let text = state.text(attempt: nil)
    if dropped { return "\(attempt) yielded \(text); too late, dropped" }
    if isOfConstant { return "\(attempt) yielded \(text); stays \(after)" }
    guard let transition else { return "\(attempt) yielded \(text) again" }
    return transition
      + (isOfLateAttempt ? ", a late yield of \(attempt)" : ", \(attempt) continues")
  }

  private func answered(_ attempt: Attempt, _ answer: LoadObservation<State>.Answer) -> String {
    switch answer {
    case .returned(let output):
      guard let transition else {
        return "\(attempt) \(State.verb(of: output)); stays \(after)"
      }
      return transition + author(attempt, "answered")
    case .failed(let error):
      guard let transition else { return "\(attempt) failed \(errorText(error)); stays \(after)" }
      return transition + author(attempt, "failed")
    case .finishedYielding(0): return change("\(attempt) ended without a value")
    case .finishedYielding(1): return change("\(attempt) ended after 1 yield")
    case .finishedYielding(let count): return change("\(attempt) ended after \(count) yields")
    case .cancelled: return change("\(attempt) ended by cancellation")
    case .askedToCancel: return change("\(attempt) threw \(errorText(State.cancelError))")
    case .askedToReset: return change("\(attempt) threw \(errorText(State.resetError))")
    }
  }

  /// The attempt of an answer, unless the state before shows it.
  private func author(_ attempt: Attempt, _ verb: String) -> String {
    if isOfLateAttempt { return ", a late answer of \(attempt)" }
    return isShown(attempt) ? "" : ", \(attempt) \(verb)"
  }

  private func late(_ attempt: Attempt, _ answer: LoadObservation<State>.Answer) -> String? {
    let event: String
    switch answer {
    case .cancelled: return nil
    case .returned(let output): event = State.verb(of: output)
    case .failed(let error): event = "failed \(errorText(error))"
    case .finishedYielding: return "\(attempt) ended, too late"
    case .askedToCancel: event = "threw \(errorText(State.cancelError))"
    case .askedToReset: event = "threw \(errorText(State.resetError))"
    }
    return (transition.map { $0 + ", " } ?? "") + "\(attempt) \(event); too late, dropped"
  }

  private static func reason(_ answer: LoadObservation<State>.Answer) -> String {
    switch answer {
    case .failed(let error): "stopped by \(errorText(error))"
    case .askedToCancel: "stopped by \(errorText(State.cancelError))"
    case .askedToReset: "stopped by \(errorText(State.resetError))"
    case .cancelled: "stopped by cancellation"
    case .returned, .finishedYielding: "stopped"
    }
  }
}
