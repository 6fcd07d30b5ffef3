import Staging

@testable import Loading

/// A slot on a stage, and all writes to it with the time in milliseconds: `"100 loaded(1)"`.
@MainActor
final class Probe<State: LifecycleState & CustomDebugStringConvertible> {
  let stage: Stage
  private(set) var driver: LoadDriver<State>
  private(set) var history: [String] = []
  private(set) var observed: [String] = []
  private var state: State

  init(_ initial: State = .resting, policy: LoadingPolicy, on stage: Stage, slot: LoadSlot? = nil) {
    self.stage = stage
    state = initial
    driver = LoadDriver(initial, policy: policy)
    let home = StateHome<State>(
      read: { [unowned self] in self.state },
      write: { [unowned self] in self.write($0) }
    )
    driver = LoadDriver(initial, home: home, policy: policy, clock: stage.clock, slot: slot)
  }

  private func write(_ new: State) {
    state = new
    history.append("\(milliseconds) \(new.debugDescription)")
  }

  /// Writes the property directly, as its owner would.
  func assign(_ new: State) {
    write(new)
  }

  var milliseconds: Int {
    Int(stage.now.elapsed / .milliseconds(1))
  }

  /// Notes every observation as a word or two; see `word`.
  func observe() {
    driver.observer = { [unowned self] observation in
      observed.append("\(milliseconds) \(word(for: observation.change))")
    }
  }
}

/// An observation in a word or two, for tests that compare lists of them.
func word<State>(for change: LoadObservation<State>.Change) -> String {
  switch change {
  case .started(let attempt, _, let silently, let replacing):
    "start \(attempt)" + (silently ? " silently" : "") + (replacing.map { " for \($0)" } ?? "")
  case .ignored(let attempt): "ignored because of \(attempt)"
  case .joined(let attempt): "joined \(attempt)"
  case .queued(let attempt, let behind): "queued \(attempt) behind \(behind)"
  case .yielded(let attempt, let state, let dropped):
    "\(attempt) yielded \(state)" + (dropped ? ", dropped" : "")
  case .interrupted(let attempt, let delay): "\(attempt) interrupted after \(delay)"
  case .stopped(let attempt, let answer, let pending):
    "\(attempt) stopped: \(word(for: answer))" + (pending ? ", pending" : "")
  case .answered(let attempt, let answer, let dropped):
    "\(attempt) \(word(for: answer))" + (dropped ? ", dropped" : "")
  case .retrying(let attempt, let failedTry, let tries, let delay, let error):
    "\(attempt) retrying after \(failedTry)/\(tries) in \(delay): \(describe(error))"
  case .cancelled(let attempt): "cancelled \(attempt?.description ?? "nothing")"
  case .reset(let attempt): "reset \(attempt?.description ?? "nothing")"
  case .assigned(let attempt): "assigned" + (attempt.map { " over \($0)" } ?? "")
  case .cancelledByOther(let attempt, let other): "\(attempt) cancelled by \(other)"
  }
}

func word<State>(for answer: LoadObservation<State>.Answer) -> String {
  switch answer {
  case .returned(let output): "returned \(output)"
  case .finishedYielding(let count): "finished after \(count) yields"
  case .cancelled: "was cancelled"
  case .askedToCancel: "asked to cancel"
  case .askedToReset: "asked to reset"
  case .failed(let error): "failed: \(describe(error))"
  }
}

struct Boom: Error, Equatable {}
