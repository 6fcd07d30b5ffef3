#if canImport(Testing)
import Exploring
import Staging
import Testing

/// What `explore`, the traits and the tests of XCTest have in common: the limits of a run, and where its issues go.
struct ScenarioOptions: Sendable {
  var limit: Int
  let mayLeaveWork: Bool
  /// Whether closures and tasks may still wait for an instant at the end, although `mayLeaveWork` is false. XCTest itself
  /// leaves timers.
  let mayLeaveSleepers: Bool
  /// Where other code may run although the running code does not wait.
  let preemption: Preemption?
  /// Virtual time after which a run fails; nil for no limit.
  let timeLimit: Duration?
  let issues: IssueRecorder
  /// The code that replays a schedule.
  let replayCall: ReplayCall

  /// For a call of `explore`.
  init(
    _ limit: Int,
    mayLeaveWork: Bool,
    preempting preemption: Preemption?,
    at location: SourceLocation,
    _ replayCall: ReplayCall = .function
  ) {
    self.init(
      limit: limit,
      mayLeaveWork: mayLeaveWork,
      preempting: preemption,
      issues: .swiftTesting(at: location),
      replayCall: replayCall.keeping(
        limit: limit,
        mayLeaveWork: mayLeaveWork,
        preempting: preemption
      )
    )
  }

  init(
    limit: Int = 10_000,
    mayLeaveWork: Bool = false,
    mayLeaveSleepers: Bool = false,
    preempting preemption: Preemption? = nil,
    timeLimit: Duration? = nil,
    issues: IssueRecorder,
    replayCall: ReplayCall = .function
  ) {
    (self.limit, self.mayLeaveWork) = (limit, mayLeaveWork)
    (self.mayLeaveSleepers, self.timeLimit, self.issues) = (mayLeaveSleepers, timeLimit, issues)
    (self.preemption, self.replayCall) = (preemption, replayCall)
  }

  /// Runs a scenario under many schedules, and records an issue if a run fails.
  ///
  /// - Parameters:
  ///   - search: the search.
  ///   - isOfTest: whether the scenario is a test. A test that cancels itself before it has a choice has nothing to vary.
  ///   - scenario: the code.
  /// - Returns: the findings.
  /// - Throws: `CancellationError` if the caller is cancelled; an error if the search cannot begin.
  func search(
    _ search: ScenarioSearch,
    isOfTest: Bool = false,
    _ scenario: @escaping ScenarioBody
  ) async throws -> Findings {
    try checkNesting()
    let executor = executor(scenario)
    let outcome = try search.outcome(executor, await search.start(executor).end())
    let isCancelled = Task.isCancelled && !outcome.keepsOthersWaiting
    // A search that was stopped early proves nothing about what is missing.
    guard isCancelled, outcome.findings.failures.isEmpty else {
      let findings = record(outcome, of: executor)
      if isCancelled { throw CancellationError() }
      return findings
    }
    if !isOfTest || outcome.findings.schedules > 1 || outcome.findings.mostDecisions > 0 {
      issues.record(
        "the test was cancelled after \(outcome.findings.countedSchedules): the others were not tried",
        nil,
        true
      )
    }
    throw CancellationError()
  }

  /// Runs a scenario under many schedules, and blocks the calling thread meanwhile.
  func searchBlocking(_ search: ScenarioSearch, _ scenario: @escaping ScenarioBody) throws
    -> Findings
  {
    try checkNesting()
    let executor = executor(scenario)
    let run = search.start(executor)
    return record(try search.outcome(executor, run.wait()), of: executor)
  }

  /// Runs a scenario once by a schedule, and records an issue if it fails.
  ///
  /// - Parameters:
  ///   - schedule: the schedule.
  ///   - isCrashIsolated: whether a crash is an issue. Otherwise it ends the process, so that a debugger shows its place.
  ///   - scenario: the code.
  /// - Returns: whether it passed.
  /// - Throws: `CancellationError` if the test is cancelled, and errors of its library.
  @discardableResult
  func replay(
    _ schedule: String,
    isCrashIsolated: Bool = false,
    _ scenario: @escaping ScenarioBody
  ) async throws -> Bool {
    try checkNesting()
    let replay = Replay(schedule, isCrashIsolated: isCrashIsolated, self, scenario)
    let found = try replay.issues(await replay.thread.end())
    record(found, of: replay.player)
    try Task.checkCancellation()
    return found.isEmpty
  }

  /// Runs a scenario once by the schedule of a call of `explore`. If it passes, warns that only this one was tried.
  func replayCall(_ schedule: String, _ scenario: @escaping ScenarioBody) async throws {
    guard try await replay(schedule, scenario), let remark = Self.remark(onReplay: schedule) else {
      return
    }
    issues.record("the scenario " + remark, nil, true)
  }

  /// A remark about a run by one schedule, as a clause, because `replaying` would hide other failures if it stayed; nil if the
  /// text is no schedule, which is an issue.
  static func remark(onReplay schedule: String) -> String? {
    guard Schedule(schedule) != nil else { return nil }
    let name = schedule.isEmpty ? "the default schedule" : "schedule '\(schedule)'"
    return
      "ran under \(name) only, because of 'replaying': remove it after you have repaired the failure"
  }

  /// Runs a scenario once by a schedule, and blocks the calling thread meanwhile.
  ///
  /// A crash ends the process: XCTest has tests that start their own program, which must crash.
  func replayBlocking(_ schedule: String, _ scenario: @escaping ScenarioBody) throws {
    try checkNesting()
    let replay = Replay(schedule, isCrashIsolated: false, self, scenario)
    record(try replay.issues(replay.thread.wait()), of: replay.player)
  }

  /// A run by a schedule on a thread of its own.
  private struct Replay {
    let player: ScenarioPlayer
    let thread: RunThread<[ExplorationIssue]>

    init(
      _ schedule: String,
      isCrashIsolated: Bool,
      _ options: ScenarioOptions,
      _ scenario: @escaping ScenarioBody
    ) {
      let player = options.player(isCrashIsolated: isCrashIsolated, StrayCalls(), scenario)
      self.player = player
      thread = RunThread(player.notice) {
        try await player.catchingIssues { ExplorationIssue.issues(replaying: schedule, player) }
      }
    }

    func issues(_ end: RunThread<[ExplorationIssue]>.End) throws -> [ExplorationIssue] {
      switch end {
      case .result(let result): try result.get()
      case .stopped(let stop): [ExplorationIssue(stop, in: player)]
      }
    }
  }

  func executor(_ scenario: @escaping ScenarioBody) -> ThreadExecutor {
    let strayCalls = StrayCalls()
    return ThreadExecutor { player(isCrashIsolated: true, strayCalls, scenario) }
  }

  private func player(
    isCrashIsolated: Bool,
    _ strayCalls: StrayCalls,
    _ scenario: @escaping ScenarioBody
  ) -> ScenarioPlayer {
    ScenarioPlayer(
      limit: limit,
      mayLeaveWork: mayLeaveWork,
      mayLeaveSleepers: mayLeaveSleepers,
      preempting: preemption,
      timeLimit: timeLimit,
      notice: RunNotice(
        at: issues.place,
        isCrashIsolated: isCrashIsolated,
        replayCall: replayCall
      ),
      strayCalls: strayCalls,
      failures: issues.failures,
      scenario
    )
  }

  private func record(_ outcome: ScenarioSearch.Outcome, of executor: ThreadExecutor) -> Findings {
    record(outcome.issues, of: executor.player)
    for text in outcome.findings.unaskedValues { issues.record(text, nil, true) }
    for text in outcome.findings.unvariedTexts { issues.record(text, nil, true) }
    if outcome.keepsOthersWaiting { ThreadExecutor.endTests(at: issues.place) }
    return outcome.findings
  }

  private func record(_ found: [ExplorationIssue], of player: ScenarioPlayer) {
    guard limit > 0 else {
      return issues.record("'limit' is \(limit), but it is at least 1 instant", nil, false)
    }
    for issue in found {
      issues.record(issue.text, issue.place, false)
      if let picture = issue.picture { issues.attach(picture) }
    }
    for gap in player.gaps { issues.record(gap, nil, true) }
    player.strayCalls.report { [issues] in issues.record($0.text, nil, false) }
  }

  private func checkNesting() throws {
    if Stage.current != nil { throw NestedSearch(name: replayCall.name) }
  }
}

/// The code of a scenario.
typealias ScenarioBody = @MainActor @Sendable (ExploredRun) async throws -> Void

/// Where the issues of a search go.
struct IssueRecorder: Sendable {
  /// The call of `explore`, or the test, for texts.
  let place: String
  /// How the failures of assertions in a run are caught.
  var failures = FailureSource.swiftTesting
  /// Records an issue at a place; nil for the place of the search. A warning is no failure.
  let record: @Sendable (_ text: String, _ place: SourcePlace?, _ isWarning: Bool) -> Void
  /// Adds a file to the test, if its library keeps files.
  var attach: @Sendable (RunPicture) -> Void = { _ in }

  /// For a test of Swift Testing, with the line of issues that have no other line.
  static func swiftTesting(at location: SourceLocation) -> IssueRecorder {
    var recorder = IssueRecorder(place: RunNotice.place(of: location)) { text, place, isWarning in
      let location =
        place.map {
          SourceLocation(fileID: $0.fileID, filePath: $0.filePath, line: $0.line, column: $0.column)
        } ?? location
      Issue.record(
        Comment(rawValue: text),
        severity: isWarning ? .warning : .error,
        sourceLocation: location
      )
    }
    recorder.attach = { picture in
      for file in picture.files {
        Attachment.record(file.text, named: file.name, sourceLocation: location)
      }
    }
    return recorder
  }
}

/// How the failures of assertions in a run are caught.
enum FailureSource {
  /// As issues of Swift Testing.
  case swiftTesting
  /// As failures of XCTest.
  case xctest
  /// Not at all: XCTest records each failure.
  case none
}

/// The code that replays a schedule.
struct ReplayCall: Sendable {
  /// The name of the function or trait, in quotes.
  let name: String
  private let beginning: String
  private let end: String
  /// The arguments after the schedule, as code.
  private var arguments = ""

  private init(name: String, _ beginning: String, _ end: String, in test: String? = nil) {
    (self.name, self.beginning, self.end) = (name, beginning, end)
    if let test { arguments = ", in: \(test.debugDescription)" }
  }

  /// A call of `explore`.
  static let function = ReplayCall(name: "'explore'", "try await explore(", ") { … }")
  /// A call of `explore` that chooses the operations. The model is a value that only the caller can write.
  static func generating(_ most: Int, isCompared: Bool = false) -> ReplayCall {
    var call = function
    call.arguments = ", generating: \(most)" + (isCompared ? ", against: …" : "")
    return call
  }

  /// A call of `explored` in a test of XCTest.
  static let closure = ReplayCall(name: "'explored'", "try await explored(", ") { … }")
  /// The same for a test with a call of `rehearsed`.
  static let rehearsedClosure = ReplayCall(name: "'rehearsed'", "try await explored(", ") { … }")

  /// The trait of a test of Swift Testing, which may have an argument.
  static func trait(of argument: String?) -> ReplayCall {
    ReplayCall(name: "'.explored'", "@Test(.explored(", "))", in: argument)
  }

  /// The trait of a class of XCTest, for one of its tests.
  static func classTrait(for test: String) -> ReplayCall {
    ReplayCall(
      name: "'.explored'",
      "override class var trait: RehearsalTrait { .explored(",
      ") }",
      in: test
    )
  }

  /// The call with these options of the search, if they are not those by default.
  func keeping(
    limit: Int,
    mayLeaveWork: Bool,
    preempting preemption: Preemption?
  ) -> ReplayCall {
    var call = self
    if limit != 10_000 { call.arguments += ", limit: \(limit)" }
    if mayLeaveWork { call.arguments += ", mayLeaveWork: true" }
    if let preemption { call.arguments += ", preempting: .\(preemption)" }
    return call
  }

  var beforeSchedule: String { beginning + "replaying: \"" }
  var afterSchedule: String { "\"" + arguments + end }

  func text(_ schedule: Schedule) -> String { beforeSchedule + "\(schedule)" + afterSchedule }
}

/// The error for a search within a run of another one.
private struct NestedSearch: Error, CustomStringConvertible {
  let name: String

  var description: String {
    """
    \(name) is called in a run of another search or on a stage, as in a test with '.explored' or '.rehearsed': \
    remove one of the two
    """
  }
}

extension Findings {
  /// Open values that no run asked for, because they were not varied, unless a failure ended the search.
  fileprivate var unaskedValues: [String] {
    guard failures.isEmpty, !isNondeterministic else { return [] }
    return openChoices.unasked.map { "not tried, because no run asked for it: \($0.text)" }
  }

  /// What no schedule varies although code depends on it, unless a failure ended the search.
  fileprivate var unvariedTexts: [String] {
    guard failures.isEmpty, !isNondeterministic else { return [] }
    return unvaried.map { "no schedule varies \($0)" }
  }
}
#endif
