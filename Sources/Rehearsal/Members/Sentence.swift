import Loading
import Script

/// How the shell tells what happened to a member, on one line.
@MainActor struct Sentence<State: ShellState> {
  let observation: Observation<State>

  /// Nil for what needs no word: a replaced attempt that ends because it was cancelled.
  var text: String? {
    switch observation.change {
    case .started(let attempt, _, let silently, let replacing):
      return started(attempt, silently: silently, replacing: replacing)
    case .ignored(let attempt): return "not started: \(attempt) is still in flight"
    case .joined(let attempt): return "joins \(attempt), which is still in flight"
    case .queued(let attempt, let behind): return "\(attempt) waits for \(behind)"
    case .yielded(let attempt, let state, let dropped):
      let text = state.text(attempt: nil)
      if dropped { return "\(attempt) yielded \(text); too late, dropped" }
      guard let arrow else { return "\(attempt) yielded \(text) again" }
      return arrow + (isCurrent(attempt) ? ", \(attempt) goes on" : ", a late yield of \(attempt)")
    case .interrupted(let attempt, let time):
      return "\(attempt) interrupted after \(time.compact)"
    case .stopped(let attempt, let answer, let pending):
      let reason = Self.reason(answer)
      if pending { return "\(attempt) \(reason); waits for its block" }
      return change("\(attempt) \(reason)")
    case .answered(let attempt, let answer, let dropped):
      return dropped ? late(attempt, answer) : answered(attempt, answer)
    case .retrying(let attempt, let failedTry, let tries, let delay, let error):
      let wait = delay == .zero ? "at once" : "in \(delay.compact)"
      return "\(attempt) try \(failedTry) of \(tries) failed: \(errorText(error)); next \(wait)"
    case .cancelled(let attempt?): return change("\(attempt) cancelled")
    case .cancelled(nil): return arrow ?? "\(after); nothing in flight to cancel"
    case .reset(let attempt?): return change("\(attempt) cancelled")
    case .reset(nil): return arrow ?? "\(after) already"
    case .assigned(let cancelling):
      let suffix = cancelling.map { ", \($0) cancelled" } ?? ""
      return (arrow.map { $0 + ", set by hand" } ?? "\(after) already") + suffix
    case .cancelledByOther(let attempt, let other): return "\(attempt) cancelled by \(other)"
    }
  }

  // MARK: Parts

  private var before: String { observation.before.state.text(attempt: observation.before.attempt) }
  private var after: String { observation.after.state.text(attempt: observation.after.attempt) }
  private var arrow: String? { before == after ? nil : before + " → " + after }

  private func isCurrent(_ attempt: Attempt) -> Bool { observation.before.attempt == attempt }

  /// The change of state and what made it; where the state stays, that it stays.
  private func change(_ cause: String) -> String {
    if let arrow { return arrow + ", " + cause }
    return cause + "; " + (observation.after.state.phase == .inFlight ? "still " : "stays ") + after
  }

  private func started(_ attempt: Attempt, silently: Bool, replacing: Attempt?) -> String {
    if silently, observation.before.state.phase != .inFlight {
      let other = replacing.map { ", replacing \($0)" } ?? ""
      return "\(attempt) started silently\(other); stays \(after)"
    }
    let start = arrow ?? "\(attempt) started; still \(after)"
    if let replacing, observation.before.state.phase != .inFlight {
      return start + ", replacing \(replacing)"
    }
    if replacing == nil, let other = observation.before.attempt {
      return start + ", \(other) goes on"
    }
    return start
  }

  private func answered(_ attempt: Attempt, _ answer: Observation<State>.Answer) -> String {
    let isLate =
      observation.before.attempt.map { $0 != attempt }
      ?? (observation.before.state.phase != .inFlight)
    let late = isLate && observation.before.attempt != nil ? ", a late answer of \(attempt)" : ""
    switch answer {
    case .returned(let output):
      return (arrow ?? "\(attempt) answered \(State.text(of: output)); stays \(after)") + late
    case .failed(let error):
      return (arrow ?? "\(attempt) failed \(errorText(error)); stays \(after)") + late
    case .finishedYielding(let count):
      return change(
        "\(attempt) ended " + (count == 0 ? "without a value" : "after \(count) yields")
      )
    case .cancelled: return change("\(attempt) ended by cancellation")
    case .askedToCancel: return change("\(attempt) threw \(errorText(State.cancelError))")
    case .askedToReset: return change("\(attempt) threw \(errorText(State.resetError))")
    }
  }

  private func late(_ attempt: Attempt, _ answer: Observation<State>.Answer) -> String? {
    let event: String
    switch answer {
    case .cancelled: return nil
    case .returned(let output): event = "answered \(State.text(of: output))"
    case .failed(let error): event = "failed \(errorText(error))"
    case .finishedYielding(let count):
      event = count == 1 ? "ended after 1 yield" : "ended after \(count) yields"
    case .askedToCancel: event = "threw \(errorText(State.cancelError))"
    case .askedToReset: event = "threw \(errorText(State.resetError))"
    }
    return "\(attempt) \(event); too late, dropped"
  }

  private static func reason(_ answer: Observation<State>.Answer) -> String {
    switch answer {
    case .failed(let error): "stopped by \(errorText(error))"
    case .askedToCancel: "stopped by \(errorText(State.cancelError))"
    case .askedToReset: "stopped by \(errorText(State.resetError))"
    case .cancelled: "stopped by cancellation"
    case .returned, .finishedYielding: "stopped"
    }
  }
}
