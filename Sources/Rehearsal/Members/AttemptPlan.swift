import Loading
import RemoteLoading
import Script
import Staging

/// The plan of one attempt: the typed request with its states, values and errors resolved.
///
/// A class, so that the block, its interrupts and `retry` share one object. It does not change
/// after its creation.
final class AttemptPlan<State: ShellState> {
  let request: StartRequest
  let kind: State.Kind
  var yields: [(state: State, delay: DurationRange, open: Int?)] = []
  var delay = DurationRange(.zero)
  /// The number of its open outcome in the session; nil if the outcome is fixed.
  var openOutcome: Int?
  var openDelay: Int?
  var openJitter: Int?
  let end: End
  /// Other possible ends of the block.
  var alternatives: [End] = []
  /// The end of the block after a cancellation; nil if it throws the cancellation error.
  var whenCancelled: End?
  var interrupts: [PlannedInterrupt] = []
  /// The given command, and its sourced file and line.
  var given = ""
  var place = ""
  /// The number of the command record whose command started the attempt.
  var cause: Int?

  init(_ request: StartRequest = StartRequest(), kind: State.Kind, end: End) {
    self.request = request
    self.kind = kind
    self.end = end
  }

  /// The time after the start at which an interrupt stops the attempt by throwing; nil if none
  /// does.
  var deadline: Duration? {
    interrupts.first { if case .error = $0.action { true } else { false } }?.time
  }

  enum End {
    case output(State.Output?)
    case error(any Error)
    case never
    /// A request over HTTP.
    case request(PlannedRequest)
    /// A call of the user's own code.
    case work(@MainActor () async throws -> State.Output?)
  }

  /// A request, and the conversion of its response into the member's output.
  struct PlannedRequest {
    let spec: RequestSpec
    let output: @MainActor (RemoteResponse) throws -> State.Output?
  }

  /// Performs one try of the block. The outcome is chosen at the beginning, each delay when it
  /// begins.
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
        try await gate.wait(for: session.scheduling.choose(step.delay, for: step.open))
        yield(step.state)
      }
      if case .never = end {
        try await gate.wait(for: nil)
      } else {
        try await gate.wait(for: session.scheduling.choose(delay, for: openDelay))
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
    let outcomes = [request.outcome] + request.alternatives
    let choice = session.scheduling.choose(among: outcomes.count, for: openOutcome) {
      outcomes[$0]?.text ?? "the request of the member"
    }
    return choice == 0 ? end : alternatives[choice - 1]
  }
}

/// An interrupt of an attempt.
struct PlannedInterrupt {
  /// Time after the start of the attempt.
  var time: Duration
  var action: Action
  /// The number of the open value of its command in the session.
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

/// The command that planned an attempt.
struct AttemptOrigin: Hashable {
  /// The number of its command record.
  let record: Int
  /// Its sourced file and line; empty if it is in no sourced file.
  let place: String
}
