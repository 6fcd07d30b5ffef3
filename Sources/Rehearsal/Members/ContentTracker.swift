import Loading
import RehearsalBase
import Script

/// Derives events from the states of a custom source, which reports nothing else.
///
/// A source does not number its loads, so they are counted here. If it answers after it was
/// cancelled, the answer belongs to the cancelled attempt.
struct ContentTracker {
  typealias State = LoadableState<JSONValue>

  private(set) var snapshot = Snapshot<State>(state: .absent, attempt: nil)
  private(set) var attemptCount = 0
  /// Attempts that were cancelled or replaced, and have not answered since.
  private var cancelled: [Attempt] = []

  /// A request to the source that is being carried out.
  enum Request {
    case load, cancel
  }

  /// An event, as a loadable would report it.
  struct Finding {
    let observation: LoadObservation<State>
    var isLate = false
  }

  init(state: State = .absent) {
    // The load was started before the observation began.
    if state.phase == .inFlight { attemptCount = 1 }
    let attempt = state.phase == .inFlight ? Attempt(number: 1) : nil
    snapshot = Snapshot(state: state, attempt: attempt)
  }

  /// Derives the event from a state that was just written.
  ///
  /// - Returns: nil for progress of the attempt in flight, and if nothing has changed.
  mutating func note(_ state: State, during request: Request?) -> Finding? {
    switch state.phase {
    case .inFlight:
      guard request == .load || snapshot.attempt == nil else { return nil }
      return begin(state)
    case .resting:
      if request == nil, snapshot.state.phase == .resting { return nil }
      return settle(state, request == .cancel ? { .cancelled($0) } : { .reset($0) })
    case .succeeded, .failed: return end(state)
    }
  }

  /// Notes that a load began without a state change.
  mutating func noteSilentStart() -> Finding { begin(.loading) }

  /// Returns the event for a request that certainly had no effect: a refused load, or a cancel
  /// without an attempt in flight; otherwise nil.
  func noteRefusal(of request: Request) -> Finding? {
    switch request {
    case .load: snapshot.attempt.map { unchanged(.ignored(because: $0)) }
    case .cancel: snapshot.attempt == nil ? unchanged(.cancelled(nil)) : nil
    }
  }

  private func unchanged(_ change: LoadObservation<State>.Change) -> Finding {
    Finding(observation: LoadObservation(change: change, before: snapshot, after: snapshot))
  }

  private mutating func begin(_ state: State) -> Finding {
    attemptCount += 1
    let attempt = Attempt(number: attemptCount)
    let replaced = snapshot.attempt
    if let replaced { cancelled.append(replaced) }
    return Finding(
      observation: move(
        to: Snapshot(state: state, attempt: attempt),
        .started(attempt, kind: (), silently: false, replacing: replaced)
      )
    )
  }

  private mutating func settle(
    _ state: State,
    _ change: (Attempt?) -> LoadObservation<State>.Change
  ) -> Finding {
    let attempt = snapshot.attempt
    if let attempt { cancelled.append(attempt) }
    return Finding(observation: move(to: Snapshot(state: state, attempt: nil), change(attempt)))
  }

  private mutating func end(_ state: State) -> Finding {
    let after = Snapshot(state: state, attempt: nil)
    if let attempt = snapshot.attempt {
      return Finding(observation: move(to: after, .answered(attempt, state.answer, dropped: false)))
    }
    guard !cancelled.isEmpty else {
      return Finding(observation: move(to: after, .assigned(cancelling: nil)))
    }
    let late = cancelled.removeFirst()
    return Finding(
      observation: move(to: after, .answered(late, state.answer, dropped: false)),
      isLate: true
    )
  }

  private mutating func move(
    to after: Snapshot<State>,
    _ change: LoadObservation<State>.Change
  ) -> LoadObservation<State> {
    defer { snapshot = after }
    return LoadObservation(change: change, before: snapshot, after: after)
  }
}

extension LoadableState {
  /// The answer that led to a settled state.
  fileprivate var answer: LoadObservation<Self>.Answer {
    switch self {
    case .loaded(let value): .returned(value)
    case .error(let error): .failed(error)
    case .absent, .loading: .cancelled
    }
  }
}
