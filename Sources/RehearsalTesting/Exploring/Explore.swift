#if canImport(Testing)
public import Exploring
public import Testing

/// Runs a scenario under many schedules, and records an issue if a run fails.
///
///     @Test func `the latest search is what is shown`() async throws {
///       try await explore { run in
///         let model = SearchModel { text in
///           try await Task.sleep(for: run.choose([.milliseconds(100), .seconds(1)]))
///           return "all about \(text)"
///         }
///         model.text = "sw"
///         try await Task.sleep(for: .milliseconds(500))
///         model.text = "swift"
///         await run.settle()
///         #expect(model.results == "all about swift")
///       }
///     }
///
/// A schedule selects the next of several tasks that are ready, and the values of `run.choose`. Each run has its own
/// stage in virtual time: waiting takes no real time, and tasks of other tests do not interfere. The scenario is a task
/// on the main actor. Create all state inside it, because runs must not share state.
///
/// A run fails if an expectation or `run.check` fails, if the scenario throws, crashes or never returns, if a task still
/// sleeps at the end, or if a task waits forever. The first failure ends the search. Its schedule is shrunk, and one
/// issue is recorded at the failed line, with the notes of the run and the call that replays it. A schedule that gives
/// another result when it runs again is also an issue, and so is a run that never settles.
///
/// The search has its own thread. After a crash, that thread is suspended and keeps its locks. The schedule is shrunk on
/// other threads, and other tests continue. In these cases the process ends, and standard error names the schedule: an
/// invalid memory access, unless it is a stack overflow; a crash, or a call of `exit`, in a thread that the code has
/// created; a crash inside `print`; a replay that waits for a lock of the crashed thread.
///
/// - Parameters:
///   - schedules: maximum number of runs after the default schedule. Without a strategy, up to 1,000 systematic runs
///     alternate with these, and do not count.
///   - strategy: the strategy that chooses schedules; nil for `.mixed(changes: 3)`, alternating with `.exhaustive`.
///   - seed: the first random seed.
///   - stopAfter: number of runs in a row without a new behaviour that ends the search; nil for no limit.
///   - until: upper bound, above 0 and below 1, of the probability that one more random run shows a new behaviour. The
///     search ends when it is reached; nil for no limit. Systematic runs do not count.
///   - limit: the number of jobs at one instant, or of instants, after which a run counts as endless.
///   - mayLeaveWork: whether tasks may still sleep or wait when the scenario has ended.
///   - preemption: where other code may run although the running code does not wait; nil for nowhere.
///   - sourceLocation: the line of issues that have no other line.
///   - scenario: the code.
/// - Returns: the findings.
/// - Throws: `CancellationError` if the test is cancelled; an error if there is no test of Swift Testing, as under XCTest
///   or in a detached task, or if the system has no thread left.
@concurrent @discardableResult public func explore(
  schedules: Int = 10_000,
  strategy: Strategy? = nil,
  seed: UInt64 = 0,
  stopAfter: Int? = nil,
  until: Double? = nil,
  limit: Int = 10_000,
  mayLeaveWork: Bool = false,
  preempting preemption: Preemption? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @MainActor @Sendable (ExploredRun) async throws -> Void
) async throws -> Findings {
  let search = ScenarioSearch(
    schedules: schedules,
    strategy: strategy,
    seed: seed,
    stopAfter: stopAfter,
    until: until
  )
  let options = ScenarioOptions(
    limit,
    mayLeaveWork: mayLeaveWork,
    preempting: preemption,
    at: sourceLocation
  )
  let findings = try await options.search(search, scenario)
  findings.printExtent(at: sourceLocation)
  return findings
}

/// Explores a scenario whose operations the search chooses, too, and records an issue for each failure.
///
///     try await explore(generating: 10) { run in
///       let model = Model()
///       return [
///         GeneratedOperation("load") { await model.load() },
///         GeneratedOperation("cancel", when: { model.isLoading }) { model.cancel() },
///       ]
///     }
///
/// The parameters are those of `explore`, and these.
///
/// - Parameters:
///   - most: the maximum number of operations in a run.
///   - schedules: the maximum number of runs.
///   - strategy: the way to choose schedules.
///   - seed: the first random seed.
///   - limit: the number of jobs at one instant, or of instants, after which a run counts as endless.
///   - mayLeaveWork: whether tasks may still sleep or wait when the operations have ended.
///   - preemption: where other code may run although the running code does not wait; nil for nowhere.
///   - sourceLocation: the line of issues that have no other line.
///   - scenario: creates the code under test, and returns the operations.
/// - Returns: the findings.
/// - Throws: as `explore`.
@concurrent @discardableResult public func explore(
  generating most: Int,
  schedules: Int = 10_000,
  strategy: Strategy = .mixed(changes: 3),
  seed: UInt64 = 0,
  limit: Int = 10_000,
  mayLeaveWork: Bool = false,
  preempting preemption: Preemption? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @MainActor @Sendable (ExploredRun) async throws -> [GeneratedOperation]
) async throws -> Findings {
  let search = ScenarioSearch(
    schedules: schedules,
    strategy: strategy,
    seed: seed,
    mutates: true
  )
  let options = ScenarioOptions(
    limit,
    mayLeaveWork: mayLeaveWork,
    preempting: preemption,
    at: sourceLocation,
    .generating(most)
  )
  let findings = try await options.search(search) { run in
    try await run.generate(try await scenario(run), atMost: most)
  }
  findings.printExtent(at: sourceLocation)
  return findings
}

/// Explores a scenario whose operations the search chooses, and compares their results with those of a model.
///
///     try await explore(generating: 10, against: StackModel()) { run in
///       let stack = Stack()
///       return [
///         ComparedOperation("push 1", model: { $0.push(1) }) { await stack.push(1) },
///         ComparedOperation("pop", model: { $0.pop() }) { await stack.pop() },
///         .last("count", model: { $0.values.count }) { await stack.count },
///       ]
///     }
///
/// Operations may overlap. A run fails if no order of them explains the results. The parameters are those of `explore`, and
/// these.
///
/// - Parameters:
///   - most: the maximum number of operations in a run.
///   - model: the model in the state of the code before the first operation.
///   - schedules: the maximum number of runs.
///   - strategy: the way to choose schedules.
///   - seed: the first random seed.
///   - limit: the number of jobs at one instant, or of instants, after which a run counts as endless.
///   - mayLeaveWork: whether tasks may still sleep or wait when the operations have ended.
///   - preemption: where other code may run although the running code does not wait; nil for nowhere.
///   - sourceLocation: the line of issues that have no other line.
///   - scenario: creates the code under test, and returns the operations.
/// - Returns: the findings.
/// - Throws: as `explore`.
@concurrent @discardableResult public func explore<Model: Hashable & Sendable>(
  generating most: Int,
  against model: Model,
  schedules: Int = 10_000,
  strategy: Strategy = .mixed(changes: 3),
  seed: UInt64 = 0,
  limit: Int = 10_000,
  mayLeaveWork: Bool = false,
  preempting preemption: Preemption? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario:
    @escaping @MainActor @Sendable (ExploredRun) async throws -> [ComparedOperation<Model>]
) async throws -> Findings {
  let search = ScenarioSearch(
    schedules: schedules,
    strategy: strategy,
    seed: seed,
    mutates: true
  )
  let options = ScenarioOptions(
    limit,
    mayLeaveWork: mayLeaveWork,
    preempting: preemption,
    at: sourceLocation,
    .generating(most, isCompared: true)
  )
  let findings = try await options.search(search) { run in
    try await run.generate(try await scenario(run), against: model, atMost: most)
  }
  findings.printExtent(at: sourceLocation)
  return findings
}

/// Runs a scenario once, by a schedule that a search has found, and records an issue if it fails or if the schedule no
/// longer fits. A crash ends the process, so that a debugger shows its place.
///
///     try await explore(replaying: "3:1") { run in … }
///
/// - Parameters:
///   - schedule: the schedule in the issue of the search; empty for the default schedule.
///   - limit: the number of jobs at one instant, or of instants, after which a run counts as endless.
///   - mayLeaveWork: whether tasks may still sleep or wait when the scenario has ended.
///   - preemption: where other code may run although the running code does not wait; nil for nowhere.
///   - sourceLocation: the line of issues that have no other line.
///   - scenario: the code.
/// - Throws: `CancellationError` if the test is cancelled; an error if there is no test of Swift Testing, as under XCTest
///   or in a detached task, or if the system has no thread left.
@concurrent public func explore(
  replaying schedule: String,
  limit: Int = 10_000,
  mayLeaveWork: Bool = false,
  preempting preemption: Preemption? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @MainActor @Sendable (ExploredRun) async throws -> Void
) async throws {
  let options = ScenarioOptions(
    limit,
    mayLeaveWork: mayLeaveWork,
    preempting: preemption,
    at: sourceLocation
  )
  try await options.replayCall(schedule, scenario)
}

/// Runs a scenario once, with the operations and by the schedule that a search has found. The parameters are those of the
/// search, and those of `explore(replaying:)`.
///
/// - Parameters:
///   - schedule: the schedule in the issue of the search.
///   - most: the maximum number of operations in a run, as in the search.
///   - limit: the number of jobs at one instant, or of instants, after which a run counts as endless.
///   - mayLeaveWork: whether tasks may still sleep or wait when the operations have ended.
///   - preemption: where other code may run although the running code does not wait; nil for nowhere.
///   - sourceLocation: the line of issues that have no other line.
///   - scenario: creates the code under test, and returns the operations.
/// - Throws: as `explore(replaying:)`.
@concurrent public func explore(
  replaying schedule: String,
  generating most: Int,
  limit: Int = 10_000,
  mayLeaveWork: Bool = false,
  preempting preemption: Preemption? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @MainActor @Sendable (ExploredRun) async throws -> [GeneratedOperation]
) async throws {
  let options = ScenarioOptions(
    limit,
    mayLeaveWork: mayLeaveWork,
    preempting: preemption,
    at: sourceLocation,
    .generating(most)
  )
  try await options.replayCall(schedule) { run in
    try await run.generate(try await scenario(run), atMost: most)
  }
}

/// Runs a scenario once, with the operations and by the schedule that a search has found, and compares their results with
/// those of a model. The parameters are those of the search, and those of `explore(replaying:)`.
///
/// - Parameters:
///   - schedule: the schedule in the issue of the search.
///   - most: the maximum number of operations in a run, as in the search.
///   - model: the model in the state of the code before the first operation.
///   - limit: the number of jobs at one instant, or of instants, after which a run counts as endless.
///   - mayLeaveWork: whether tasks may still sleep or wait when the operations have ended.
///   - preemption: where other code may run although the running code does not wait; nil for nowhere.
///   - sourceLocation: the line of issues that have no other line.
///   - scenario: creates the code under test, and returns the operations.
/// - Throws: as `explore(replaying:)`.
@concurrent public func explore<Model: Hashable & Sendable>(
  replaying schedule: String,
  generating most: Int,
  against model: Model,
  limit: Int = 10_000,
  mayLeaveWork: Bool = false,
  preempting preemption: Preemption? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario:
    @escaping @MainActor @Sendable (ExploredRun) async throws -> [ComparedOperation<Model>]
) async throws {
  let options = ScenarioOptions(
    limit,
    mayLeaveWork: mayLeaveWork,
    preempting: preemption,
    at: sourceLocation,
    .generating(most, isCompared: true)
  )
  try await options.replayCall(schedule) { run in
    try await run.generate(try await scenario(run), against: model, atMost: most)
  }
}
#endif
