@testable import Loading

/// Runs a script through the machine alone: a list of instants replaces clock and tasks.
struct MachineRun {
  private(set) var machine: LoadMachine<LoadableState<Int>>
  /// The writes with their instants in nanoseconds: `"12345 loaded(1)"`.
  private(set) var history: [String] = []
  /// The observations with their instants, in the same form.
  private(set) var observed: [String] = []

  private typealias Event = LoadMachine<LoadableState<Int>>.Event
  private typealias Plan = RandomScript.Plan

  private enum Step {
    case command(RandomScript.Command)
    case yield(Attempt, LoadableState<Int>)
    case end(Attempt, LoadMachine<LoadableState<Int>>.Outcome)
    case interrupt(Attempt, after: Int, throwing: (any Error)?)
  }

  private enum Start {
    case began(Attempt, isAwaited: Bool)
    case waits(Attempt)
    case elsewhere
  }

  private var now = 0
  private var agenda: [(instant: Int, step: Step)] = []
  private var starts: [Start] = []
  private var plans: [Attempt: Plan] = [:]
  private var cancelledTasks: Set<Attempt> = []

  init(_ script: RandomScript, policy: LoadingPolicy) {
    machine = LoadMachine(policy: policy)
    machine.isObserved = true
    agenda = script.commands.map { ($0.instant, .command($0.command)) }
    while !agenda.isEmpty {
      let next = agenda.removeFirst()
      now = next.instant
      perform(next.step)
    }
  }

  private mutating func perform(_ step: Step) {
    switch step {
    case .command(let command): perform(command)
    case .yield(let attempt, let state): handle(.yield(attempt, state))
    case .end(let attempt, let outcome): end(attempt, outcome)
    case .interrupt(let attempt, let sum, let error):
      guard machine.isUndisturbed(attempt) else { return }
      handle(.interrupt(attempt, after: .nanoseconds(sum)))
      if let error { handle(.stop(attempt, error)) }
    }
  }

  private mutating func perform(_ command: RandomScript.Command) {
    switch command {
    case .start(let plan): start(plan)
    case .cancel: handle(.cancel)
    case .reset: handle(.reset)
    case .set(let state): handle(.set(state))
    case .cancelTask(let number): cancelTask(starts[number])
    }
  }

  private mutating func start(_ plan: Plan) {
    let form: LoadMachine<LoadableState<Int>>.Form = plan.isAwaited ? .async : .task
    plans[Attempt(number: machine.attemptCount + 1)] = plan
    let effects = machine.handle(.start((), silently: plan.silently, form: form))
    switch effects.last {
    case .begin(let attempt): starts.append(.began(attempt, isAwaited: plan.isAwaited))
    case .enqueue(let attempt): starts.append(.waits(attempt))
    default: starts.append(.elsewhere)
    }
    carryOut(effects)
  }

  private mutating func cancelTask(_ start: Start) {
    switch start {
    case .began(let attempt, let isAwaited):
      if isAwaited, machine.policy.lateAnswers == .dropped {
        handle(.leave(attempt))
      } else {
        stopBlock(of: attempt)
      }
    case .waits(let attempt): handle(.leave(attempt))
    case .elsewhere: break
    }
  }

  private mutating func end(
    _ attempt: Attempt,
    _ outcome: LoadMachine<LoadableState<Int>>.Outcome
  ) {
    forget(attempt) { _ in true }
    let wasCancelled = cancelledTasks.contains(attempt)
    handle(.end(attempt, outcome, taskWasCancelled: wasCancelled))
  }

  private mutating func handle(_ event: Event) {
    carryOut(machine.handle(event))
  }

  private mutating func carryOut(_ effects: [LoadMachine<LoadableState<Int>>.Effect]) {
    for effect in effects {
      switch effect {
      case .begin(let attempt): begin(attempt)
      case .cancel(let attempt):
        forget(attempt) { if case .interrupt = $0 { true } else { false } }
        stopBlock(of: attempt)
      case .write(let state): history.append("\(now) \(state.debugDescription)")
      case .observe(let observation): observed.append("\(now) \(word(for: observation.change))")
      default: break
      }
    }
  }

  private mutating func begin(_ attempt: Attempt) {
    _ = machine.store(attempt)
    guard let plan = plans[attempt] else { return }
    var instant = now
    for (gap, state) in plan.yields {
      instant += gap
      add(.yield(attempt, state), at: instant)
    }
    add(.end(attempt, outcome(of: plan.ending)), at: instant + plan.lastGap)
    var sum = 0
    for (index, gap) in plan.interrupts.enumerated() {
      sum += gap
      let error = index == plan.interrupts.count - 1 ? plan.thrown?.error : nil
      add(.interrupt(attempt, after: sum, throwing: error), at: now + sum)
    }
  }

  /// Cancels the block's task. A cancellable block ends at once.
  private mutating func stopBlock(of attempt: Attempt) {
    guard machine.liveAttempts.contains(attempt), let plan = plans[attempt],
      cancelledTasks.insert(attempt).inserted, !plan.ignoresCancellation
    else { return }
    forget(attempt) { if case .interrupt = $0 { false } else { true } }
    let error: any Error = plan.convertsCancellation ? Boom() : CancellationError()
    add(.end(attempt, .threw(error)), at: now)
  }

  private func outcome(
    of ending: RandomScript.Ending
  ) -> LoadMachine<LoadableState<Int>>.Outcome {
    if let error = ending.error { return .threw(error) }
    if case .value(let value) = ending { return .returned(value) }
    return .returned(nil)
  }

  private mutating func add(_ step: Step, at instant: Int) {
    let index = agenda.firstIndex { $0.instant > instant } ?? agenda.endIndex
    agenda.insert((instant, step), at: index)
  }

  private mutating func forget(_ attempt: Attempt, where condition: (Step) -> Bool) {
    agenda.removeAll { entry in
      switch entry.step {
      case .yield(attempt, _), .end(attempt, _), .interrupt(attempt, _, _): condition(entry.step)
      default: false
      }
    }
  }
}
