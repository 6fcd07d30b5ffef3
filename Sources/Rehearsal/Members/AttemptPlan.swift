import Loading
import RemoteLoading
import Script
import Staging

/// What one attempt is going to do: the typed request, and its states, values and errors, looked up.
///
/// A class, so that the block, its interrupts and `retry` share one; it does not change once made.
final class AttemptPlan<State: ShellState> {
  let request: StartRequest
  let kind: State.Kind
  var yields: [(state: State, delay: DurationRange, open: Int?)] = []
  var delay = DurationRange(.zero)
  /// What of it is left open, by its number in the session.
  var openOutcome: Int?
  var openDelay: Int?
  var openJitter: Int?
  let end: End
  /// How the block may end instead.
  var alternatives: [End] = []
  /// What the block does when it is cancelled, instead of passing the cancellation on.
  var whenCancelled: End?
  var interrupts: [PlannedInterrupt] = []
  /// The given command, and its sourced file and line.
  var given = ""
  var place = ""
  /// The command record whose command asked for it.
  var cause: Int?

  init(_ request: StartRequest = StartRequest(), kind: State.Kind, end: End) {
    self.request = request
    self.kind = kind
    self.end = end
  }

  /// When the attempt is stopped by an interrupt that throws, after its start; nil for never.
  var deadline: Duration? {
    interrupts.first { if case .error = $0.action { true } else { false } }?.time
  }

  enum End {
    case output(State.Output?)
    case error(any Error)
    case never
    /// What a request brings.
    case request(PlannedRequest)
    /// What code of a user's own makes of it.
    case work(@MainActor () async throws -> State.Output?)
  }

  /// A request, and what its response is worth to the member.
  struct PlannedRequest {
    let spec: RequestSpec
    let output: @MainActor (RemoteResponse) throws -> State.Output?
  }

  /// Carries out one try of the block. How it ends is decided first, how long it takes when it is come to.
  @MainActor func perform(
    gate: AttemptGate,
    try number: Int,
    in session: Session,
    yield: (State) -> Void,
    fetch: @escaping @MainActor (RequestSpec) async throws -> RemoteResponse
  ) async throws -> State.Output? {
    let end = chosenEnd(in: session)
    do {
      for step in yields {
        session.scheduling.ask(step.open)
        try await gate.wait(for: session.scheduling.choose(step.delay))
        yield(step.state)
      }
      if case .never = end {
        try await gate.wait(for: nil)
      } else {
        session.scheduling.ask(openDelay)
        try await gate.wait(for: session.scheduling.choose(delay))
      }
      if case .request(let planned) = end, request.failing.map({ number > $0.tries }) ?? true {
        return try planned.output(try await gate.wait { try await fetch(planned.spec) })
      }
      if case .work(let work) = end { return try await work() }
    } catch let error as CancellationError {
      guard let whenCancelled else { throw error }
      if case .never = whenCancelled { try await gate.wait(for: nil, ignoringCancellation: true) }
      return try whenCancelled.result
    }
    if let failing = request.failing, number <= failing.tries { throw failing.error.error }
    return try end.result
  }

  @MainActor private func chosenEnd(in session: Session) -> End {
    if alternatives.isEmpty { return end }
    session.scheduling.ask(openOutcome)
    let choice = session.scheduling.choose(among: alternatives.count + 1)
    return choice == 0 ? end : alternatives[choice - 1]
  }
}

/// What happens at one of an attempt's interrupts.
struct PlannedInterrupt {
  /// After the start of the attempt.
  var time: Duration
  var action: Action
  /// What its command leaves open, by its number in the session.
  var open: Int?
  /// The number of its scheduled command in the session.
  var number = 0

  enum Action {
    case note
    case command(ParsedCommand)
    case error(any Error)
  }
}

extension AttemptPlan.End {
  var result: State.Output? {
    get throws {
      switch self {
      case .output(let output): return output
      case .error(let error): throw error
      case .never, .request, .work: return nil
      }
    }
  }
}
