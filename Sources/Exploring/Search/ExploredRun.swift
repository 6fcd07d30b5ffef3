import RehearsalBase
public import Staging

/// One run of an explored scenario: chooses values for its code, and records its notes.
///
/// Code of the run calls it from any isolation: the main actor, an actor, a detached task, a block of a Dispatch queue. The
/// stage runs all of this code, one step at a time.
///
/// Code of a thread outside of the stage, such as a `Thread`, must not call it, because no schedule decides when it runs.
/// Such a call has no effect, `choose` then returns the first value, and the run fails.
public final class ExploredRun: @unchecked Sendable {
  // Only code on the stage uses the variables, and the thread that drives the stage. They run one at a time.

  /// The stage of the run.
  public let stage: Stage
  private let strayCalls: StrayCalls
  private let scheduler: SearchScheduler
  var seen: [String] = []
  private var instants: [StageInstant] = []
  package private(set) var failure: Violation?
  private(set) var sometimes: [SometimesAssertion] = []
  /// Whether too many orders of overlapping operations are possible to compare them with a model.
  var isUndecided = false
  private var settling: [UnsafeContinuation<Void, Never>] = []
  /// The task of the scenario. It exists before any code can wait for all tasks.
  var scenarioTask: Stage.TaskID?
  private var joins: [Join] = []
  /// Looks for the ends of all tasks while code waits for them.
  private var joinWatch: QuietWatch?

  /// A call of `waitForAllTasks`.
  private struct Join {
    let continuation: UnsafeContinuation<Void, Never>
    let caller: Stage.TaskID?
    let place: SourcePlace
  }

  init(stage: Stage, scheduler: SearchScheduler, strayCalls: StrayCalls = StrayCalls()) {
    self.stage = stage
    self.scheduler = scheduler
    self.strayCalls = strayCalls
  }

  /// Whether the calling code runs on the stage. If it does not, the run fails.
  ///
  /// - Parameter function: the called function.
  /// - Returns: whether it does.
  private func isCalledOnStage(_ function: String) -> Bool {
    if stage.isCurrent { return true }
    strayCalls.add(function, Stage.callerOfThis)
    return false
  }

  /// Records a line of output. Runs with the same lines have the same behaviour.
  public func note(_ text: String) {
    guard isCalledOnStage("note") else { return }
    Stage.noteSharedEffect()
    seen.append(text)
    instants.append(stage.now)
    if scheduler.keepsTexts { scheduler.noteEffect(StepEffect(nil, row: "→ \(text)")) }
  }

  /// Makes the run fail if a condition does not hold. Only the first failure of a run counts.
  ///
  /// The rule states the requirement, and identifies the failure; the actual value follows it.
  public func check(
    _ condition: Bool,
    _ rule: String,
    _ what: @autoclosure () -> String = "",
    fileID: String = #fileID,
    filePath: String = #filePath,
    line: Int = #line,
    column: Int = #column
  ) {
    guard isCalledOnStage("check"), failure == nil else { return }
    Stage.noteSharedEffect()
    if condition { return scheduler.noteHeld(rule, what()) }
    scheduler.noteViolated(rule)
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    fail(by: Violation(.condition(rule), .text(what()), place: place))
  }

  /// Asserts that a condition holds in at least one run of the search: the search reaches this state.
  ///
  /// The search fails if the condition held in none of its runs. A single run never fails, and a call that no run
  /// reaches asserts nothing. If a run calls it several times with one text, the condition holds in this run if it
  /// holds in one of the calls.
  ///
  /// - Parameters:
  ///   - condition: the condition, in this run.
  ///   - text: the text of the condition. It identifies the assertion.
  ///   - fileID: the file of the call.
  ///   - filePath: the path of the file of the call.
  ///   - line: the line of the call.
  ///   - column: the column of the call.
  public func sometimes(
    _ condition: Bool,
    _ text: String,
    fileID: String = #fileID,
    filePath: String = #filePath,
    line: Int = #line,
    column: Int = #column
  ) {
    guard isCalledOnStage("sometimes") else { return }
    let known = sometimes.firstIndex { $0.text == text }
    if let known {
      if condition { sometimes[known].heldRuns = 1 }
    } else {
      let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
      sometimes.append(SometimesAssertion(text, place: place, heldRuns: condition ? 1 : 0))
    }
  }

  /// Returns one of several values. The default schedule takes the first; other runs try the
  /// others.
  ///
  /// - Parameters:
  ///   - values: at least one value.
  ///   - name: the name of the value in reports: `"the delay of 'swift'"`. By default, reports name the line of the call.
  ///   - fileID: the file of the call.
  ///   - line: the line of the call.
  /// - Returns: the value.
  /// - Precondition: there is at least one value.
  public func choose<Value>(
    _ values: [Value],
    named name: String? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) -> Value {
    guard isCalledOnStage("choose") else { return values[0] }
    let value = values[scheduler.choose(among: values.count)]
    if values.count > 1, scheduler.keepsTexts {
      let place = "\(fileID.split(separator: "/").last ?? ""):\(line)"
      let text = (value as? Duration)?.compact ?? "\(value)"
      scheduler.noteValue(
        ChosenValue(name.map { "\($0) (\(place))" } ?? "'choose' at \(place)", text)
      )
    }
    return value
  }

  /// Returns the index of an alternative; the default schedule takes 0.
  ///
  /// - Parameters:
  ///   - count: the number of alternatives.
  ///   - value: returns the name and the value of an index, for reports.
  /// - Returns: the index.
  func choose(among count: Int, _ value: (Int) -> (name: String, value: String)) -> Int {
    let choice = scheduler.choose(among: count)
    if scheduler.keepsTexts {
      let (name, text) = value(choice)
      scheduler.noteValue(ChosenValue(name, text))
    }
    return choice
  }

  /// Returns a duration, often one that ends together with another event; by default the shortest.
  func choose(_ range: ClosedRange<Duration>) -> Duration { scheduler.choose(range, on: stage) }

  func addOpenValues(_ values: @escaping () -> [(text: String, isAsked: Bool)]) {
    scheduler.addOpenValues(values)
  }

  /// Waits until nothing else is left to do, now or later, as `settle` does in a script.
  ///
  /// It also returns if tasks are left that nothing can resume. `waitForAllTasks` makes the run fail then.
  ///
  /// Cancellation does not end it. If several calls wait for each other, they return together.
  public func settle() async {
    guard isCalledOnStage("settle") else { return }
    await withUnsafeContinuation { settling.append($0) }
  }

  /// Waits until every task that the scenario has started has ended, also those that are started meanwhile.
  ///
  /// If nothing is left to do before that, the run fails, and the failure names the tasks that have not ended. For each
  /// it says why the task waits. The call then returns. It does not wait for its own task, for the task of the scenario, and for tasks
  /// that wait in the same function. Other work may be left, such as timers.
  ///
  /// Cancellation does not end it.
  ///
  /// - Parameters:
  ///   - fileID: the file of the call.
  ///   - filePath: the path of the file of the call.
  ///   - line: the line of the call.
  ///   - column: the column of the call.
  public func waitForAllTasks(
    fileID: String = #fileID,
    filePath: String = #filePath,
    line: Int = #line,
    column: Int = #column
  ) async {
    guard isCalledOnStage("waitForAllTasks") else { return }
    joinWatch =
      joinWatch ?? stage.whenQuiet { [weak self] in self?.resumeJoins(if: { $0 == true }) }
    let caller = Stage.currentRootTask
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let wait = { @Sendable in NamedWait("all other tasks") }
    await Stage.naming(wait) {
      await withUnsafeContinuation {
        joins.append(Join(continuation: $0, caller: caller, place: place))
      }
    }
  }

  /// The tasks that no call of `waitForAllTasks` waits for.
  private var joiningTasks: Set<Stage.TaskID> {
    Set(joins.compactMap(\.caller) + (scenarioTask.map { [$0] } ?? []))
  }

  /// Resumes the callers of `waitForAllTasks`.
  ///
  /// - Parameter condition: whether to resume them if all tasks are complete; the argument is nil if it is unknown.
  private func resumeJoins(if condition: (Bool?) -> Bool) {
    guard !joins.isEmpty, condition(stage.areTasksComplete(besides: joiningTasks)) else { return }
    let joined = joins
    joins = []
    joinWatch = nil
    for join in joined { join.continuation.resume() }
  }
}

extension ExploredRun {
  /// The recorded lines with their instants.
  package var notes: [(instant: StageInstant, text: String)] {
    zip(instants, seen).map { ($0, $1) }
  }

  /// Adds a note that only a crash of `body` leaves in the output.
  func noteTemporarily(_ text: String, _ body: () -> Void) {
    seen.append(text)
    instants.append(stage.now)
    body()
    seen.removeLast()
    instants.removeLast()
  }

  /// Makes the run fail, unless it failed before.
  package func fail(by failure: Violation) {
    self.failure = self.failure ?? failure
  }

  /// Makes the run fail with an error that the scenario threw.
  func fail(by error: any Error) {
    fail(by: error as? Violation ?? Violation(.throwsNothing, ActualValue(thrown: error)))
  }

  /// Resumes the callers of `settle`.
  ///
  /// - Returns: whether there were any.
  func goOnSettled() -> Bool {
    let waiting = settling
    settling = []
    for continuation in waiting { continuation.resume() }
    return !waiting.isEmpty
  }

  /// Whether code waits for tasks that nothing on the stage can resume.
  var waitsForLeftTasks: Bool { settling.isEmpty && !joins.isEmpty }

  /// Resumes the callers of `waitForAllTasks`, and makes the run fail, because nothing is left to do.
  ///
  /// - Parameter outside: the work outside of virtual time that may resume the tasks.
  func failJoins(_ outside: [String]) {
    guard let first = joins.first else { return }
    let actual: ActualValue =
      if let report = stage.waitingTasks(besides: joiningTasks) {
        .tasksLeft(report, outside: outside)
      } else if stage.keepsTasks {
        .unknownTasks
      } else {
        .text("this search does not know its tasks; use 'leavesNothing: true'")
      }
    fail(by: Violation(.tasksEnd, actual, place: first.place))
    resumeJoins(if: { _ in true })
  }

  /// Resumes all callers of `settle` and `waitForAllTasks` at the end of the run.
  func resumeAll() {
    _ = goOnSettled()
    resumeJoins(if: { _ in true })
  }
}

extension ActualValue {
  /// An error that a scenario threw. Its type, and the case of an enumeration, identify it.
  fileprivate init(thrown error: any Error) {
    let mirror = Mirror(reflecting: error)
    let name =
      mirror.displayStyle == .enum ? mirror.children.first?.label ?? "\(error)" : nil
    let type = "\(type(of: error))"
    self = .thrown(type: name.map { "\(type).\($0)" } ?? type, text: "\(error)")
  }
}
