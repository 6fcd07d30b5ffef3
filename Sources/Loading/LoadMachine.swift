/// The life of one slot, loadable or process, under any policy: an event goes in, effects come out.
///
///     resting ──start──▶ in flight ──returned──▶ succeeded
///                             └──────threw─────▶ failed
///
/// A start is possible in every state. The machine starts no task and reads no clock, so a list of
/// events replays a run exactly; whoever drives it carries out the effects, in order.
package struct LoadMachine<State: LifecycleState> {
  package internal(set) var state: State
  /// The last loaded value, for as long as the policy keeps it.
  package internal(set) var kept: State.Output?
  /// How many attempts the slot has had.
  package private(set) var attemptCount = 0
  /// Applies to what comes next, not to what has happened.
  package var policy: LoadingPolicy
  /// Whether anybody wants `Effect.observe`. Without, observations are not even made.
  package var isObserved = false

  /// The last state that was not in flight: where a cancellation may return to.
  var settled: State
  /// Attempts whose blocks have not ended, whether or not they still count.
  var live = AttemptTable<Record>()
  var waiting: [Waiting] = []
  /// Under policies that reach attempts by their stored task: the attempt whose task is stored.
  var stored: Attempt?

  package init(_ initial: State = .resting, policy: LoadingPolicy = .latest) {
    state = initial
    settled = initial.phase == .inFlight ? .resting : initial
    kept = initial.output
    self.policy = policy
  }

  /// What is known about an attempt whose block runs.
  struct Record {
    let kind: State.Kind
    let form: Form
    /// Whether it may still write; an attempt that was replaced or cancelled may not, unless the
    /// policy writes late answers.
    var counts = true
    var isCancelled = false
    var yields = 0
    /// What `onInterrupt` threw, where the policy lets the state wait for the block's end.
    var stoppedBy: (any Error)?
  }

  struct Waiting {
    let attempt: Attempt
    let kind: State.Kind
    let silently: Bool
    let form: Form
  }

  package var liveAttempts: [Attempt] { live.attempts }

  package var snapshot: Snapshot<State> { Snapshot(state: state, attempt: current) }

  /// The newest attempt that is in flight, neither replaced nor cancelled.
  var current: Attempt? {
    live.isEmpty ? nil : live.newest { $0.counts && !$0.isCancelled }
  }

  /// Whether the attempt may still change something: it waits, or its block runs and it counts.
  package func isPending(_ attempt: Attempt) -> Bool {
    live[attempt]?.counts ?? waiting.contains { $0.attempt == attempt }
  }

  /// Whether the attempt's block runs and nobody has asked it to stop.
  package func isUndisturbed(_ attempt: Attempt) -> Bool {
    live[attempt].map { !$0.isCancelled } ?? false
  }

  /// Takes note of a state that was written past the machine, where the state lives elsewhere.
  package mutating func adopt(_ state: State) {
    self.state = state
    if state.phase != .inFlight { settled = state }
    if let output = state.output { kept = output }
  }

  /// Moves to the next state and returns the effects to carry out, in order.
  package mutating func handle(_ event: Event) -> [Effect] {
    var effects: [Effect] = []
    switch event {
    case .start(let kind, let silently, let form):
      start(kind, silently: silently, form: form, &effects)
    case .yield(let attempt, let state): yield(attempt, state, &effects)
    case .interrupt(let attempt, let delay): interrupt(attempt, after: delay, &effects)
    case .stop(let attempt, let error): stop(attempt, error, &effects)
    case .retry(let attempt, let retry): observeRetry(attempt, retry, &effects)
    case .end(let attempt, let outcome, let taskWasCancelled):
      end(attempt, outcome, taskWasCancelled: taskWasCancelled, &effects)
    case .leave(let attempt): leave(attempt, &effects)
    case .cancel: cancel(&effects)
    case .reset: reset(&effects)
    case .set(let state): set(state, &effects)
    case .displace(let cancelling): displace(cancelling: cancelling, &effects)
    }
    beginWaiting(&effects)
    return effects
  }

  mutating func nextAttempt() -> Attempt {
    attemptCount += 1
    return Attempt(number: attemptCount)
  }

  mutating func write(_ new: State, _ effects: inout [Effect]) {
    state = new
    switch new.phase {
    case .resting: kept = nil
    case .inFlight where !policy.keepsValueDuringReload: kept = nil
    case .failed where !policy.keepsValueAfterError: kept = nil
    case .succeeded: kept = new.output
    case .inFlight, .failed: break
    }
    if new.phase != .inFlight { settled = new }
    effects.append(.write(new))
  }

  /// How things look now, if anybody wants to know.
  func look() -> Snapshot<State>? {
    isObserved ? snapshot : nil
  }

  func observe(
    _ change: @autoclosure () -> Observation<State>.Change,
    since before: Snapshot<State>?,
    _ effects: inout [Effect]
  ) {
    guard let before else { return }
    effects.append(.observe(Observation(change: change(), before: before, after: snapshot)))
  }
}
