#if canImport(Testing)
import RehearsalBase
import Exploring
import Staging
import Synchronization
import Testing
import Timelines
import Workers

/// A player that runs a scenario by schedules, and turns recorded issues into failures of a run. Swift Testing would list
/// each failed expectation thousands of times.
///
/// The thread that plays acts as the main actor, because each run has its own stage.
final class ScenarioPlayer: Sendable {
  private let limit: Int
  private let mayLeaveWork: Bool
  private let mayLeaveSleepers: Bool
  private let timeLimit: Duration?
  private let preemption: Preemption?
  private let failures: FailureSource
  /// Whether the scenario can run again. XCTest performs an instance of a test case once.
  var canRepeat: Bool { failures != .none }
  private let scenario: ScenarioBody
  /// The state of the runs.
  let notice: RunNotice
  /// The calls of a run by threads outside of its stage.
  let strayCalls: StrayCalls
  /// The latest run. Any thread that records an issue reads it.
  private let latest = Mutex<ExploredRun?>(nil)
  private struct Issues {
    /// Whether the latest issue became a failure of a run, and Swift Testing is about to post it.
    var tookLatest = false
    /// The issues that are not failures, such as warnings, by their lines. Each text is listed once.
    var listed: [SourcePlace: Set<[String]>] = [:]
  }

  private let issues = Mutex(Issues())
  private let outside = Mutex<[String]>([])

  init(
    limit: Int,
    mayLeaveWork: Bool,
    mayLeaveSleepers: Bool = false,
    preempting preemption: Preemption? = nil,
    timeLimit: Duration? = nil,
    notice: RunNotice,
    strayCalls: StrayCalls = StrayCalls(),
    failures: FailureSource = .swiftTesting,
    _ scenario: @escaping ScenarioBody
  ) {
    self.failures = failures
    self.limit = limit
    self.notice = notice
    self.strayCalls = strayCalls
    self.mayLeaveWork = mayLeaveWork
    self.mayLeaveSleepers = mayLeaveSleepers
    self.timeLimit = timeLimit
    self.preemption = preemption
    self.scenario = scenario
  }

  /// Runs the scenario once, on the calling thread.
  func play(_ scheduler: SearchScheduler) -> RunOutcome { play(scheduler, keepsTrace: false) }

  private func play(_ scheduler: SearchScheduler, keepsTrace: Bool) -> RunOutcome {
    notice.begin(scheduler)
    defer { notice.end() }
    nonisolated(unsafe) let scheduler = scheduler  // Stays on this thread.
    let outcome = assumingMainActor {
      Scenario(
        limit: limit,
        leavesNothing: !mayLeaveWork,
        mayLeaveSleepers: mayLeaveSleepers,
        keepsTasks: true,
        timeLimit: timeLimit,
        strayCalls: strayCalls,
        preempting: preemption
      ) { run in
        // The previous run is released after the lock.
        _ = self.latest.withLock { latest in exchange(&latest, with: run) }
        self.notice.run(on: run.stage)
        do {
          try await self.scenario(run)
        } catch {
          guard self.isCancellation(error) else { throw error }
        }
      }
      .play(scheduler, keepsTrace: keepsTrace)
    }
    if !outcome.outside.isEmpty {
      outside.withLock { known in known += outcome.outside.filter { !known.contains($0) } }
    }
    return outcome
  }

  /// Whether an error is that of `Test.cancel`, which has cancelled the test. It is no failure. Its type is not public.
  private func isCancellation(_ error: any Error) -> Bool {
    notice.isCancelled.load(ordering: .relaxed) && String(describing: type(of: error)) == "SkipInfo"
  }

  /// Everything that no schedule varies: hops with an unknown toolchain, steps that affect other tasks if the program does
  /// not notice them, and work outside of virtual time.
  var gaps: [String] {
    var gaps: [String] = []
    if !Stage.hopsAreSchedulingPoints {
      gaps.append(
        """
        hops between executors are not scheduling points with this toolchain or on this platform: a task enters an idle \
        actor before any other task can run
        """
      )
    }
    if !Stage.noticesEffects {
      gaps.append(
        """
        this program does not notice code that cancels tasks, runs jobs at once or uses other threads, so some orders are \
        not tried: see the linker options in docs/your-own-code.md
        """
      )
    }
    gaps += Stage.gapsOfToolchain.map { "this toolchain is not known, and \($0)" }
    if preemption == .locks, let gap = Stage.gapOfPreemption { gaps.append(gap) }
    if notice.wasSlow.load(ordering: .relaxed) {
      gaps.append(
        """
        a run took \(ReplayWatch.limitInSeconds) seconds or more of real time: it computes long, or it waits for a file, \
        the network or another thread, which is outside of virtual time
        """
      )
    }
    return gaps
      + outside.withLock(\.self).map { "\($0) is outside of virtual time: no schedule varies it" }
  }

  /// Returns the execution trace and the notes of a run by a schedule.
  func trace(by schedule: Schedule) -> (steps: [ExecutionStep], notes: [String]) {
    _ = play(ReplayScheduler(schedule), keepsTrace: true)
    return (latest.withLock(\.self)?.stage.trace ?? [], latestNotes)
  }

  /// Returns why a run fails, as far as other runs show it.
  func explanation(of failure: Findings.Failure) -> FailureExplanation {
    guard ![.noCrash, .noExit].contains(failure.check) else { return .none }
    return FailureExplanation(of: failure.schedule) {
      !play($0).passes
    }
  }

  /// Returns the notes of a run by a schedule, with their times.
  func notes(by schedule: Schedule) -> [String] {
    _ = play(ReplayScheduler(schedule))
    return latestNotes
  }

  /// The notes of the latest run, with their instants.
  var latestNoteInstants: [(instant: StageInstant, text: String)] {
    latest.withLock(\.self)?.notes ?? []
  }

  /// The notes of the latest run, which has ended or crashed.
  var latestNotes: [String] {
    latestNoteInstants.map { note in
      let time = note.instant.elapsed.fixed
      let indent = String(repeating: " ", count: max(0, 9 - time.utf8.count))
      return indent + time + "  " + note.text.printable(atMost: 1_000)
    }
  }

  /// Returns the first violation of the latest run, whose thread was stopped.
  func violation(by stop: RunStop) -> Violation {
    guard var failure = latest.withLock(\.self)?.failure else { return stop.violation }
    failure.crash = stop.crash
    failure.crashReport = stop.crashReport
    return failure
  }

  /// Calls a function that plays runs on one thread, and catches the issues.
  ///
  /// - Throws: errors of Swift Testing, and an error if there is no test.
  func catchingIssues<Value: Sendable>(
    _ body: @Sendable () -> Value
  ) async throws -> Value {
    switch failures {
    // XCTest would ignore issues of Swift Testing.
    case .none: return takingIssues(body)
    case .xctest: return try catchingXCTestFailures { takingIssues(body) }
    case .swiftTesting: break
    }
    guard let test = Test.current else {
      // In an exit test, issues are recorded at once.
      guard ExitTest.current != nil else { throw NoTest() }
      return body()
    }
    let value = Mutex<Value?>(nil)
    let trait: IssueHandlingTrait = .compactMapIssues { self.isListed($0) ? $0 : nil }
    try await trait.provideScope(for: test, testCase: Test.Case.current) {
      // The innermost scope of known issues has priority: a scope in the scenario comes before this one, and this one
      // before a scope around the search, which sees only the issues of the search.
      let result = takingIssues { catchingAssertionsOfXCTest(body) }
      value.withLock { $0 = result }
    }
    guard let result = value.withLock(\.self) else {
      preconditionFailure("A scope calls its function or throws.")
    }
    return result
  }

  /// Turns an issue into a failure of the current run.
  ///
  /// - Returns: whether the issue belongs to a run and is a failure.
  private func take(_ issue: Issue) -> Bool {
    guard issue.isFailure, take(Violation(issue)) else { return false }
    issues.withLock { $0.tookLatest = true }
    return true
  }

  /// Makes the current run fail.
  ///
  /// - Returns: whether the calling code belongs to a run.
  private func take(_ violation: @autoclosure () -> Violation) -> Bool {
    guard let run = latest.withLock(\.self), run.stage.isCurrent else { return false }
    run.fail(by: violation())
    return true
  }

  /// Calls a function that plays runs on one thread, and catches failures of XCTest in a test of Swift Testing.
  private func catchingAssertionsOfXCTest<Value>(_ body: () -> Value) -> Value {
    #if canImport(XCTest)
    if XCTestFailures.areReportedEverywhere { return takingXCTestFailures(body) }
    #endif
    return body()
  }

  /// Calls a function that plays runs on one thread, and catches the failures of XCTest.
  private func catchingXCTestFailures<Value>(_ body: () -> Value) throws -> Value {
    guard XCTestFailures.areCaught else { throw NoXCTestFailures() }
    return takingXCTestFailures(body)
  }

  private func takingXCTestFailures<Value>(_ body: () -> Value) -> Value {
    notice.takesFailure.withLock { $0 = { self.take($0) } }
    defer { notice.takesFailure.withLock { $0 = nil } }
    return body()
  }

  /// Calls a function that plays runs on one thread, and turns issues of Swift Testing into failures of the runs.
  private func takingIssues<Value: Sendable>(_ body: () -> Value) -> Value {
    let value = Mutex<Value?>(nil)
    withKnownIssue(isIntermittent: true) {
      let result = body()
      value.withLock { $0 = result }
    } matching: {
      self.take($0)
    }
    guard let result = value.withLock(\.self) else {
      preconditionFailure("A scope calls its function or throws.")
    }
    return result
  }

  /// Returns a picture of a run by a schedule, and of the nearest run that passes.
  func picture(of schedule: Schedule) -> RunPicture? {
    RunPicture(of: schedule) { schedule in
      let scheduler = TracingScheduler(schedule)
      let outcome = play(scheduler)
      return RunPicture.Run(scheduler, notes: latestNoteInstants, passes: outcome.passes)
    }
  }

  /// Maximum number of texts that are listed for one line.
  private static let mostTexts = 100

  /// Returns whether Swift Testing lists an issue, because it does not belong to a run or is not a failure.
  private func isListed(_ issue: Issue) -> Bool {
    guard let run = latest.withLock(\.self), run.stage.isCurrent else {
      // Swift Testing also lists an issue that belongs to no test itself.
      return Test.current != nil
    }
    return issues.withLock { issues in
      if exchange(&issues.tookLatest, with: false) { return false }
      if Test.current == nil {
        // Code without the task-local values of the test, such as an isolated deinit.
        if issue.isFailure { run.fail(by: Violation(issue)) }
        return false
      }
      guard let place = SourcePlace(issue) else { return true }
      guard issues.listed[place]?.count ?? 0 < Self.mostTexts else { return false }
      return issues.listed[place, default: []].insert(issue.comments.map(\.rawValue)).inserted
    }
  }
}

/// The error for a call outside of a test, where failures would be lost.
private struct NoTest: Error, CustomStringConvertible {
  var description: String {
    """
    'explore' needs a test of Swift Testing, '@Test func': elsewhere, as in a detached task, failures would be lost; \
    under XCTest use 'explored { … }'
    """
  }
}

/// The error for a program in which XCTest records each failure itself.
private struct NoXCTestFailures: Error, CustomStringConvertible {
  var description: String {
    "'explored' needs XCTest of Linux as a shared library: here XCTest would record the failures of each run"
  }
}

extension SourcePlace {
  fileprivate init?(_ issue: Issue) {
    guard let place = issue.sourceLocation else { return nil }
    self.init(
      fileID: place.fileID,
      filePath: place.filePath,
      line: place.line,
      column: place.column
    )
  }
}

extension Violation {
  /// The check is identified by its line, because the values differ between runs.
  fileprivate init(_ issue: Issue) {
    let words = ["\(issue.kind)"] + issue.comments.map(\.rawValue)
    self.init(
      issue.sourceLocation.map { .expectation(file: $0.fileName, line: $0.line) } ?? .noIssue,
      .text(words.joined(separator: "; ")),
      place: SourcePlace(issue)
    )
  }
}
#endif
