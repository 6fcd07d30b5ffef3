import Loading
import RehearsalBase
import RemoteLoading
import Script
import Staging
import Timelines

/// A member whose state is controlled by the load machine: the loadables and processes of the
/// shell.
///
/// Methods are called through `any Member`, which hides the type of the state from the compiler.
/// Methods that run once per load are specialised for both types, which makes them three times as
/// fast.
@MainActor final class DrivenMember<State: ShellState>: Member {
  let name: String
  let declaration: String
  let kinds: [String]
  let isConstant: Bool
  let isCustom: Bool
  /// The default outcome of a start.
  let source: RequestSource?
  let driver: LoadDriver<State>
  /// Resolves the words of the script: states, values, kinds.
  let resolver: any Resolver<State>
  unowned let session: Session
  let lane: Int

  /// The attempts whose blocks run, with their plans, gates and start times.
  private var running: [Attempt: (plan: AttemptPlan<State>, gate: AttemptGate, start: Duration)] =
    [:]
  private var late = LateAttempts()
  private var callers: [Caller] = []
  /// The progress of the newest request, from 0 to 1; nil if it is unknown.
  private var progress: Double?
  private var lastPlan: AttemptPlan<State>?
  private var visits: Visits<Snapshot<State>>

  init(
    name: String,
    declaration: String,
    kinds: [String] = [],
    initial: State,
    policy: LoadingPolicy,
    isConstant: Bool = false,
    isCustom: Bool = false,
    source: RequestSource? = nil,
    resolver: any Resolver<State>,
    session: Session
  ) {
    self.name = name
    self.declaration = declaration
    self.kinds = kinds
    self.isConstant = isConstant
    self.isCustom = isCustom
    self.source = source
    self.resolver = resolver
    self.session = session
    let (clock, slot) = (session.stage.clock, session.members.slot(for: name))
    driver =
      isConstant
      ? .constant(initial, policy: policy, clock: clock, slot: slot)
      : LoadDriver(initial, policy: policy, clock: clock, slot: slot)
    lane = session.history.addLane(
      .init(
        name: name,
        word: State.memberSort.rawValue,
        initial: initial,
        machine: isConstant ? nil : Recording.Lane.machine(State.memberSort, policy: policy)
      )
    )
    visits = Visits(driver.snapshot, at: session.stage.now.elapsed)
    driver.observer = { [unowned self] observation in self.note(observation) }
  }

  var sort: MemberSort { State.memberSort }
  var stateText: String { text(of: driver.snapshot) }
  var stateWord: String? { driver.state.word }
  var state: State { driver.state }
  var stateKind: String? { driver.state.stateKind }
  var attemptCount: Int { driver.attemptCount }
  var liveAttempts: [Attempt] {
    @_specialize(where State == LoadableState<JSONValue>)
    @_specialize(where State == ProcessState<ShellKind>)
    get { driver.liveAttempts }
  }
  var isParallel: Bool { driver.policy.whileLoading == .parallel }
  func origin(of attempt: Attempt) -> AttemptOrigin? {
    running[attempt].flatMap { running in
      running.plan.cause.map { AttemptOrigin(record: $0, place: running.plan.place) }
    }
  }
  var stuckAttempts: [Attempt] {
    @_specialize(where State == LoadableState<JSONValue>)
    @_specialize(where State == ProcessState<ShellKind>)
    get {
      // Fast path: every `settle` asks, and usually nothing runs.
      if running.isEmpty { return [] }
      return driver.liveAttempts.filter {
        running[$0].map { isStuck($0.plan, at: $0.gate) } ?? false
      }
    }
  }

  var attemptTasks: [Task<Void, Never>] {
    driver.tasks + running.values.compactMap { $0.gate.operation }
  }

  var commandsOfInterrupts: [ScheduledCommand] {
    if running.isEmpty { return [] }
    let now = session.stage.now.elapsed
    return running.values.flatMap { plan, _, start -> [ScheduledCommand] in
      // Such a block may outlive its attempt, whose interrupts have then ended.
      guard !plan.request.isUncancellable, plan.whenCancelled == nil else { return [] }
      return plan.interrupts.compactMap { interrupt in
        let due = start + interrupt.time
        guard case .command(let command) = interrupt.action, due > now else { return nil }
        return ScheduledCommand(
          number: interrupt.number,
          text: command.text,
          due: due,
          given: plan.given,
          place: plan.place
        )
      }
    }
  }

  private func isStuck(_ plan: AttemptPlan<State>, at gate: AttemptGate) -> Bool {
    // The gate does not see what the user's code waits for, only that the stage has nothing left to
    // run.
    if case .work = plan.end { session.stage.pending.isEmpty } else { gate.isStuck }
  }

  var facts: [(name: String, value: String)] {
    let live = driver.liveAttempts
    let flight =
      live.isEmpty
      ? "none in flight" : live.map(\.description).joined(separator: ", ") + " in flight"
    var facts = [("state", stateText)]
    facts += resolver.payload(of: driver.state)
    if let source { facts.append(("source", source.text)) }
    if driver.state.phase == .inFlight, let progress {
      facts.append(("progress", "\(Int(progress * 100))%"))
    }
    if let kept = driver.kept, let text = resolver.text(ofKept: kept) {
      facts.append(("kept", text))
    }
    facts.append(("attempts", "\(driver.attemptCount), \(flight)"))
    if let priority = lastPlan?.request.priority {
      let name = ShellCommand.priorities.first { $0.priority == priority }?.name
      facts.append(("priority", name ?? "\(priority.rawValue)"))
    }
    facts.append(("policy", driver.policy.name))
    return facts
  }

  func text(of snapshot: Snapshot<State>) -> String {
    snapshot.state.text(attempt: snapshot.attempt)
  }

  @_specialize(where State == LoadableState<JSONValue>)
  @_specialize(where State == ProcessState<ShellKind>)
  private func note(_ observation: LoadObservation<State>) {
    visits.append(observation.after, at: session.stage.now.elapsed)
    session.output.report(
      observation,
      of: self,
      isLate: late.isLate(observation.change),
      isQuiet: isThrowing(observation.change)
    )
    if let attempt = late.discarded(by: observation.change) {
      session.output.reportEnd(of: attempt, in: lane, state: observation.after.state)
    }
    late.note(observation.change)
  }

  /// Whether an interrupt throws. The next event then reports its effect on the attempt.
  private func isThrowing(_ change: LoadObservation<State>.Change) -> Bool {
    guard case .interrupted(let attempt, let time) = change else { return false }
    return running[attempt]?.plan.interrupts.contains { interrupt in
      if case .error = interrupt.action { interrupt.time == time } else { false }
    } ?? false
  }

  // MARK: Checking

  @_specialize(where State == LoadableState<JSONValue>)
  @_specialize(where State == ProcessState<ShellKind>)
  func satisfies(_ pattern: StatePattern) -> Bool { Self.satisfies(driver.snapshot, pattern) }

  @_specialize(where State == LoadableState<JSONValue>)
  @_specialize(where State == ProcessState<ShellKind>)
  private static func satisfies(_ snapshot: Snapshot<State>, _ pattern: StatePattern) -> Bool {
    snapshot.state.satisfies(pattern)
      && pattern.attempt.map { $0 == snapshot.attempt?.number } ?? true
  }

  func check(_ pattern: Located<StatePattern>) throws(Diagnostic) { try resolver.check(pattern) }

  var visitCount: Int { visits.count }
  var visitsKnownSince: Duration? { visits.knownSince }
  func forgetVisits(before time: Duration, most: Int) { visits.forget(before: time, most: most) }

  func firstVisit(_ pattern: StatePattern, isSo: Bool, from visit: Int) -> Duration? {
    visits.firstTime(from: visit) { Self.satisfies($0, pattern) == isSo }
  }

  // MARK: Commands

  @_specialize(where State == LoadableState<JSONValue>)
  @_specialize(where State == ProcessState<ShellKind>)
  func start(_ request: StartRequest) throws(Diagnostic) {
    start(try plan(for: request))
  }

  func slot(at span: Range<Int>) -> ViewSlot { driver.state.slot(progress: progress) }

  func choose(_ policy: LoadingPolicy, at span: Range<Int>) {
    session.output.report(policy, of: self, insteadOf: driver.policy)
    driver.policy = policy
  }

  @_specialize(where State == LoadableState<JSONValue>)
  @_specialize(where State == ProcessState<ShellKind>)
  func retry(at span: Range<Int>) -> Bool {
    guard let lastPlan else { return false }
    start(lastPlan)
    return true
  }

  @_specialize(where State == LoadableState<JSONValue>)
  @_specialize(where State == ProcessState<ShellKind>)
  func cancel(at span: Range<Int>) { driver.cancel() }

  func cancelCaller(at span: Range<Int>) -> Bool {
    callers.removeAll(where: \.isOver)
    guard let caller = callers.popLast() else { return false }
    let whom = caller.attempt.map { " of \($0)" } ?? ""
    session.output.printEvent("\(name)  the caller\(whom) is cancelled", lane: lane)
    caller.cancel()
    return true
  }

  @_specialize(where State == LoadableState<JSONValue>)
  @_specialize(where State == ProcessState<ShellKind>)
  func reset(at span: Range<Int>) { driver.reset() }

  func assign(_ assignment: Located<Assignment>, at span: Range<Int>) throws(Diagnostic) {
    guard let refusal = try resolver.assign(assignment, to: driver) else { return }
    session.output.printEvent("\(name)  \(stateText); \(refusal.word) changes nothing", lane: lane)
    if case .value = assignment.value {
      session.output.print(.note("'set \(name) loaded VALUE' sets the state and the value"))
    }
  }

  @_specialize(where State == LoadableState<JSONValue>)
  @_specialize(where State == ProcessState<ShellKind>)
  func inject(_ error: ErrorSpec, at span: Range<Int>) -> Bool {
    guard let attempt = driver.liveAttempts.last, let gate = running[attempt]?.gate else {
      return false
    }
    if !gate.inject(error.error) {
      session.output.printEvent(
        "\(name)  \(attempt) is between two tries; the next one fails",
        lane: lane
      )
    }
    return true
  }

  func mapped(_ path: [Located<String>], isCompact: Bool) throws(Diagnostic) -> String {
    try resolver.mapped(driver.state, path: path, isCompact: isCompact)
  }

  @_specialize(where State == LoadableState<JSONValue>)
  @_specialize(where State == ProcessState<ShellKind>)
  func tearDown() {
    driver.observer = nil
    for caller in callers { caller.cancel() }
    driver.cancel()
    for attempt in running.keys.sorted() { running[attempt]?.gate.close() }
  }

  // MARK: Carrying out a plan

  @_specialize(where State == LoadableState<JSONValue>)
  @_specialize(where State == ProcessState<ShellKind>)
  func start(_ plan: AttemptPlan<State>) {
    lastPlan = plan
    let block: (AttemptContext<State>) async throws -> State.Output? = { context in
      // Strong: an uncancellable block may run after its member has left the session.
      try await self.perform(plan, context: context)
    }
    let interrupts = interruptDelays(of: plan)
    let onInterrupt: ((Duration) throws -> Void)? =
      plan.interrupts.isEmpty ? nil : { time in try self.interrupt(plan, at: time) }
    if plan.request.isAwaited {
      startAwaited(plan, interrupts: interrupts, onInterrupt: onInterrupt, block: block)
    } else {
      let task = driver.start(
        plan.kind,
        silently: plan.request.isSilent,
        priority: plan.request.priority,
        interrupts: interrupts,
        onInterrupt: onInterrupt,
        block: block
      )
      session.stage.disown(task)
    }
  }

  /// The `async` form runs in a separate task, as in a view's `.task`.
  private func startAwaited(
    _ plan: AttemptPlan<State>,
    interrupts: [Duration],
    onInterrupt: ((Duration) throws -> Void)?,
    block: @escaping (AttemptContext<State>) async throws -> State.Output?
  ) {
    var attemptsBefore = 0
    let caller = Caller()
    caller.begin(on: session.stage, isCancelled: plan.request.isCallerCancelled) {
      attemptsBefore = self.driver.attemptCount
      await self.driver.run(
        plan.kind,
        silently: plan.request.isSilent,
        interrupts: interrupts,
        onInterrupt: onInterrupt,
        block: block
      )
    } attempt: {
      // A start that joins awaits an earlier attempt.
      self.driver.attemptCount > attemptsBefore
        ? Attempt(number: self.driver.attemptCount) : self.driver.snapshot.attempt
    }
    if callers.count >= 64 { callers.removeAll(where: \.isOver) }
    callers.append(caller)
  }

  @_specialize(where State == LoadableState<JSONValue>)
  @_specialize(where State == ProcessState<ShellKind>)
  private func perform(
    _ plan: AttemptPlan<State>,
    context: AttemptContext<State>
  ) async throws -> State.Output? {
    let gate = AttemptGate(stage: session.stage, isUncancellable: plan.request.isUncancellable)
    running[context.attempt] = (plan, gate, session.stage.now.elapsed)
    defer { running[context.attempt] = nil }
    let fetch: @MainActor (RequestSpec) async throws -> RemoteResponse = { spec in
      let owner = "\(self.name) \(context.attempt)"
      self.session.scheduling.note(
        StepEffect("the request of \(owner)", row: nil, owner: owner, record: plan.cause)
      )
      return try await self.fetch(spec, for: context.attempt, deadline: plan.deadline)
    }
    guard let retry = plan.request.retry else {
      return try await plan.perform(
        gate: gate,
        try: 1,
        in: session,
        yield: context.yield,
        fetch: fetch
      )
    }
    var number = 0
    var random = session.options.random
    let delay = { [session] number in
      session.scheduling.delay(
        of: retry,
        afterFailedTry: number,
        for: plan.openJitter,
        using: &random
      )
    }
    return try await context.retrying(retry, clock: session.stage.clock, delay: delay) {
      number += 1
      return try await plan.perform(
        gate: gate,
        try: number,
        in: session,
        yield: context.yield,
        fetch: fetch
      )
    }
  }

  private func fetch(
    _ spec: RequestSpec,
    for attempt: Attempt,
    deadline: Duration?
  ) async throws -> RemoteResponse {
    var meter = ProgressMeter()
    progress = nil
    return try await session.http.fetch(spec, by: name, deadline: deadline) { report in
      guard self.driver.snapshot.attempt == attempt else { return }
      self.progress = report.fraction
      guard let text = meter.text(of: report) else { return }
      self.session.output.printEvent("\(self.name)  \(attempt) \(text)", lane: self.lane)
    }
  }

  // MARK: Interrupts

  /// Returns the delays between the interrupts, as the library expects them.
  private func interruptDelays(of plan: AttemptPlan<State>) -> [Duration] {
    var last: Duration?
    var delays: [Duration] = []
    for interrupt in plan.interrupts where interrupt.time != last {
      delays.append(interrupt.time - (last ?? .zero))
      last = interrupt.time
    }
    return delays
  }

  private func interrupt(_ plan: AttemptPlan<State>, at time: Duration) throws {
    for interrupt in plan.interrupts where interrupt.time == time {
      switch interrupt.action {
      case .note: break
      case .command(let command):
        session.scheduling.ask(interrupt.open)
        session.performScheduled(interrupt.number, command, causedBy: plan.cause)
      case .error(let error): throw error
      }
    }
  }
}
