/// The life of one slot, loadable or process, under any policy: an event goes in, effects come out.
///
///     resting ──start──▶ in flight ──returned──▶ succeeded
///                             └──────threw─────▶ failed
///
/// A start is possible in every state. The machine starts no task and reads no clock, so a list of
/// events replays a run exactly; whoever drives it carries out the effects, in order.
@usableFromInline
package struct LoadMachine<State: LifecycleState> {
  @usableFromInline
  package internal(set) var state: State
  /// The last loaded value, for as long as the policy keeps it.
  @usableFromInline
  package internal(set) var kept: State.Output?
  /// How many attempts the slot has had.
  @usableFromInline
  package internal(set) var attemptCount = 0
  /// Applies to what comes next, not to what has happened.
  @usableFromInline
  package var policy: LoadingPolicy
  /// Whether anybody wants `Effect.observe`. Without, observations are not even made.
  @usableFromInline
  package var isObserved = false
  /// Whether the state never changes, whatever attempts do: for previews.
  @usableFromInline
  let isConstant: Bool

  /// The last state that was not in flight: where a cancellation may return to.
  @usableFromInline
  var settled: State
  /// Attempts whose blocks have not ended, whether or not they still count.
  @usableFromInline
  var live = AttemptTable<Record>()
  /// No live attempt up to this number counts. It spares a search among those that were replaced long
  /// ago and are deaf to it.
  @usableFromInline
  var lateUpTo = 0
  @usableFromInline
  var waiting: [Waiting] = []
  /// Under policies that reach attempts by their stored task: the attempt whose task is stored.
  @usableFromInline
  var stored: Attempt?

  @inlinable
  package init(
    _ initial: State = .resting,
    policy: LoadingPolicy = .latest,
    isConstant: Bool = false
  ) {
    self.isConstant = isConstant
    state = initial
    settled = initial.phase == .inFlight ? .resting : initial
    kept = initial.output
    self.policy = policy
  }

  /// What is known about an attempt whose block runs.
  @usableFromInline
  struct Record {
    @usableFromInline
    let kind: State.Kind
    @usableFromInline
    let form: Form
    /// Whether it may still write; an attempt that was replaced or cancelled may not, unless the
    /// policy writes late answers.
    @usableFromInline
    var counts = true
    @usableFromInline
    var isCancelled = false
    @usableFromInline
    var yields = 0
    /// What `onInterrupt` threw, where the policy lets the state wait for the block's end.
    @usableFromInline
    var stoppedBy: (any Error)?

    @inlinable
    init(kind: State.Kind, form: Form) {
      self.kind = kind
      self.form = form
    }
  }

  @usableFromInline
  struct Waiting {
    @usableFromInline
    let attempt: Attempt
    @usableFromInline
    let kind: State.Kind
    @usableFromInline
    let silently: Bool
    @usableFromInline
    let form: Form

    @inlinable
    init(attempt: Attempt, kind: State.Kind, silently: Bool, form: Form) {
      self.attempt = attempt
      self.kind = kind
      self.silently = silently
      self.form = form
    }
  }

  @inlinable
  package var liveAttempts: [Attempt] { live.attempts }

  @inlinable
  package var snapshot: Snapshot<State> { Snapshot(state: state, attempt: current) }

  /// The newest attempt that is in flight, neither replaced nor cancelled.
  @inlinable
  var current: Attempt? {
    live.isEmpty ? nil : live.newest(above: lateUpTo) { $0.counts && !$0.isCancelled }
  }

  /// Whether the attempt may still change something: it waits, or its block runs and it counts.
  @inlinable
  package func isPending(_ attempt: Attempt) -> Bool {
    live[attempt]?.counts ?? waiting.contains { $0.attempt == attempt }
  }

  /// Whether the attempt's block runs and nobody has asked it to stop.
  @inlinable
  package func isUndisturbed(_ attempt: Attempt) -> Bool {
    live[attempt].map { !$0.isCancelled } ?? false
  }

  /// Whether a write by hand would cancel something.
  @inlinable
  package var cancelsOnWrite: Bool {
    policy.manualWrites == .cancel && !(live.isEmpty && waiting.isEmpty)
  }

  /// Takes note of a state that was written past the machine, where the state lives elsewhere.
  @inlinable
  package mutating func adopt(_ state: State) {
    move(to: state)
  }

  /// Moves to the next state and returns the effects to carry out, in order.
  @inlinable
  package mutating func handle(_ event: Event) -> [Effect] {
    var effects: [Effect] = []
    effects.reserveCapacity(4)  // Nearly every event has two or three.
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
    case .set(let state): set(state, isWritten: false, &effects)
    case .found(let state): set(state, isWritten: true, &effects)
    case .displace(let cancelling): displace(cancelling: cancelling, &effects)
    }
    beginWaiting(&effects)
    return effects
  }

  @inlinable
  mutating func nextAttempt() -> Attempt {
    attemptCount += 1
    return Attempt(number: attemptCount)
  }

  @inlinable
  mutating func write(_ new: State, _ effects: inout [Effect]) {
    if isConstant { return }
    move(to: new)
    effects.append(.write(new))
  }

  @inlinable
  mutating func move(to new: State) {
    state = new
    switch new.phase {
    case .resting: kept = nil
    case .inFlight where !policy.keepsValueDuringReload: kept = nil
    case .failed where !policy.keepsValueAfterError: kept = nil
    case .succeeded: kept = new.output
    case .inFlight, .failed: break
    }
    if new.phase != .inFlight { settled = new }
  }

  /// How things look now, if anybody wants to know.
  @inlinable
  func look() -> Snapshot<State>? {
    isObserved ? snapshot : nil
  }

  @inlinable
  func observe(
    _ change: @autoclosure () -> LoadObservation<State>.Change,
    since before: Snapshot<State>?,
    _ effects: inout [Effect]
  ) {
    guard let before else { return }
    effects.append(.observe(LoadObservation(change: change(), before: before, after: snapshot)))
  }
}
