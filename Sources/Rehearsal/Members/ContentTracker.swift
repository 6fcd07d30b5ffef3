import Loading
import RehearsalBase
import Script

/// Finds out what happened to a custom source, which tells only the states that it is in.
///
/// A source has no numbers for its loads, so they are counted here. One that answers after it was
/// cancelled is taken at its word: the answer is that of the cancelled attempt.
struct ContentTracker {
  typealias State = LoadableState<JSONValue>

  private(set) var snapshot = Snapshot<State>(state: .absent, attempt: nil)
  private(set) var attemptCount = 0
  /// Attempts that were cancelled or replaced and have not answered since.
  private var cancelled: [Attempt] = []

  /// What somebody asked of the source, while it writes its state.
  enum Request {
    case load, cancel
  }

  /// Something that happened, as it would have happened to a loadable.
  struct Finding {
    let observation: LoadObservation<State>
    var isLate = false
  }

  init(state: State = .absent) {
    // What is in flight already was started before anybody looked.
    if state.phase == .inFlight { attemptCount = 1 }
    let attempt = state.phase == .inFlight ? Attempt(number: 1) : nil
    snapshot = Snapshot(state: state, attempt: attempt)
  }

  /// Takes a state in that was just written.
  ///
  /// - Returns: nil for progress of the attempt in flight, and where nothing has changed.
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

  /// Takes in that a load was begun without a word about it.
  mutating func noteSilentStart() -> Finding { begin(.loading) }

  /// A request that did nothing, as far as that is certain: a load that was refused, a cancel where
  /// nothing is in flight.
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
