/// The life of one slot, loadable or process, under any policy: an event goes in, effects come out.
///
///     resting ──start──▶ in flight ──returned──▶ succeeded
///                             └──────threw─────▶ failed
///
/// A start is possible in every state. The machine starts no task and reads no clock, so a list of
/// events replays a run exactly. The driver carries out the effects in order.
@usableFromInline
package struct LoadMachine<State: LifecycleState> {
  @usableFromInline
  package internal(set) var state: State
  /// The last loaded value, as long as the policy keeps it.
  @usableFromInline
  package internal(set) var kept: State.Output?
  /// The number of attempts so far.
  @usableFromInline
  package internal(set) var attemptCount = 0
  /// The policy for future events.
  @usableFromInline
  package var policy: LoadingPolicy
  /// Whether `Effect.observe` is needed. If not, no observations are made.
  @usableFromInline
  package var isObserved = false
  /// Whether the state never changes, for previews.
  @usableFromInline
  let isConstant: Bool

  /// The last state that was not in flight, to which a cancellation may return.
  @usableFromInline
  var settled: State
  /// The attempts whose blocks have not ended, including late ones.
  @usableFromInline
  var live = AttemptTable<Record>()
  /// All live attempts up to this number are late. This saves a search through attempts that were
  /// replaced but ignore cancellation.
  @usableFromInline
  var lateUpTo = 0
  @usableFromInline
  var waiting: [Waiting] = []
  /// The attempt whose task is stored, under policies with a stored task.
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

  /// The state of an attempt whose block runs.
  @usableFromInline
  struct Record {
    @usableFromInline
    let kind: State.Kind
    @usableFromInline
    let form: Form
    /// Whether it may still write. A replaced or cancelled attempt may not, unless the policy
    /// writes late answers.
    @usableFromInline
    var counts = true
    @usableFromInline
    var isCancelled = false
    @usableFromInline
    var yields = 0
    /// The error that `onInterrupt` threw, if the policy waits for the end of the block.
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

  /// The newest attempt in flight that is neither replaced nor cancelled.
  @inlinable
  var current: Attempt? {
    live.isEmpty ? nil : live.newest(above: lateUpTo) { $0.counts && !$0.isCancelled }
  }

  /// Returns whether the attempt may still change something: it waits, or its block runs and it
  /// counts.
  @inlinable
  package func isPending(_ attempt: Attempt) -> Bool {
    live[attempt]?.counts ?? waiting.contains { $0.attempt == attempt }
  }

  /// Returns whether the attempt's block runs and was not asked to stop.
  @inlinable
  package func isUndisturbed(_ attempt: Attempt) -> Bool {
    live[attempt].map { !$0.isCancelled } ?? false
  }

  /// Whether a direct write would cancel an attempt.
  @inlinable
  package var cancelsOnWrite: Bool {
    policy.manualWrites == .cancel && !(live.isEmpty && waiting.isEmpty)
  }

  /// Adopts a state that was written directly, when the state is stored outside the machine.
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

  /// Returns the present snapshot, if observations are needed.
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
