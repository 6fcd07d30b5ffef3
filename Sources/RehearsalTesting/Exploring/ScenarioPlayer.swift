#if canImport(Testing)
import RehearsalBase
import Exploring
import Script
import Staging
import Synchronization
import Testing

/// Plays a scenario by schedules, and takes issues that it records for failures of the run: a search comes by the same
/// expectation thousands of times.
///
/// The thread that plays stands for the main actor: each run has a stage of its own.
final class ScenarioPlayer: Sendable {
  private let limit: Int
  private let mayLeaveWork: Bool
  private let scenario: @MainActor @Sendable (ExploredRun) async throws -> Void
  /// What is known of the runs.
  let notice: RunNotice
  /// Asked by whatever thread records an issue.
  private let latest = Mutex<ExploredRun?>(nil)
  private struct Issues {
    /// Whether the latest issue was taken for a failure of a run, and Swift Testing is about to post it.
    var tookLatest = false
    /// Where those are that are no failures, such as warnings: each is listed once.
    var listed: Set<SourcePlace> = []
  }

  private let issues = Mutex(Issues())
  private let outside = Mutex<[String]>([])

  init(
    limit: Int,
    mayLeaveWork: Bool,
    notice: RunNotice,
    _ scenario: @escaping @MainActor @Sendable (ExploredRun) async throws -> Void
  ) {
    self.limit = limit
    self.notice = notice
    self.mayLeaveWork = mayLeaveWork
    self.scenario = scenario
  }

  /// One run, on the calling thread.
  func play(_ scheduler: SearchScheduler) -> RunOutcome { play(scheduler, keepsDecisions: false) }

  private func play(_ scheduler: SearchScheduler, keepsDecisions: Bool) -> RunOutcome {
    notice.begin(scheduler)
    defer { notice.end() }
    nonisolated(unsafe) let scheduler = scheduler  // Stays on this thread.
    let outcome = assumingMainActor {
      Scenario(limit: limit, leavesNothing: !mayLeaveWork) { run in
        // What the run before held ends where no lock is held.
        _ = self.latest.withLock { latest in exchange(&latest, with: run) }
        try await self.scenario(run)
      }
      .play(scheduler, keepsDecisions: keepsDecisions)
    }
    if !outcome.outside.isEmpty {
      outside.withLock { known in known += outcome.outside.filter { !known.contains($0) } }
    }
    return outcome
  }

  /// Reports everything that no schedule varies: hops if the toolchain is not known, steps that act on other tasks if the
  /// program does not notice them, work outside of virtual time, which runs in real time or never, and random numbers.
  func warnOfGaps(at location: SourceLocation) {
    if !Stage.hopsAreSchedulingPoints {
      Issue.record(
        """
        hops between executors are no scheduling points with this toolchain or on this platform: tasks enter actors that \
        are idle before any other task can run
        """,
        severity: .warning,
        sourceLocation: location
      )
    }
    if !Stage.noticesEffects {
      Issue.record(
        """
        this program does not notice steps that cancel tasks, run jobs at once or give work to other threads, so not all \
        orders are tried: see the linker options in docs/your-own-code.md
        """,
        severity: .warning,
        sourceLocation: location
      )
    }
    for work in outside.withLock(\.self) {
      Issue.record(
        "\(work) is outside of virtual time, or left to chance: no schedule varies it",
        severity: .warning,
        sourceLocation: location
      )
    }
  }

  /// Returns the execution trace and the notes of a run by a schedule.
  func trace(by schedule: Schedule) -> (decisions: [Decision], notes: [String]) {
    _ = play(ReplayScheduler(schedule), keepsDecisions: true)
    return (latest.withLock(\.self)?.stage.decisions ?? [], latestNotes)
  }

  /// What is noted in a run by a schedule, with the times in front.
  func notes(by schedule: Schedule) -> [String] {
    _ = play(ReplayScheduler(schedule))
    return latestNotes
  }

  /// What was noted in the latest run, which is over, or stays as it is.
  var latestNotes: [String] {
    guard let run = latest.withLock(\.self) else { return [] }
    // On another stage: its own one may be as a crash has left it.
    return Stage().enter { run.notes }.map { note in
      let time = note.instant.elapsed.fixed
      let indent = String(repeating: " ", count: max(0, 9 - time.utf8.count))
      return indent + time + "  " + note.text.printable(atMost: 1_000)
    }
  }

  /// What was wrong in the latest run before it was ended.
  var latestFailure: Violation? {
    latest.withLock(\.self).flatMap { run in Stage().enter { run.failure } }
  }

  /// Does something that plays runs, all on one thread.
  ///
  /// - Throws: what Swift Testing throws, and where there is no test of it.
  func catchingIssues<Value: Sendable>(
    _ body: @Sendable () -> Value
  ) async throws -> Value {
    guard let test = Test.current else {
      // There each issue is told at once.
      guard ExitTest.current != nil else { throw NoTest() }
      return body()
    }
    let value = Mutex<Value?>(nil)
    let trait: IssueHandlingTrait = .compactMapIssues { self.isListed($0) ? $0 : nil }
    try await trait.provideScope(for: test, testCase: Test.Case.current) {
      // The innermost scope of known issues is asked first: one in the scenario before this one, and this one before
      // one around the search, which is to see what the search reports.
      withKnownIssue(isIntermittent: true) {
        let result = body()
        value.withLock { $0 = result }
      } matching: {
        self.take($0)
      }
    }
    guard let result = value.withLock(\.self) else {
      preconditionFailure("A scope performs its function, or throws.")
    }
    return result
  }

  /// Makes the run a failure in which an issue was recorded.
  ///
  /// - Returns: whether it was a failure of a run.
  private func take(_ issue: Issue) -> Bool {
    guard issue.isFailure, let run = latest.withLock(\.self), run.stage.isCurrent else {
      return false
    }
    assumingMainActor { run.fail(by: Violation(issue)) }
    issues.withLock { $0.tookLatest = true }
    return true
  }

  /// Whether Swift Testing lists an issue, rather than the search: it is of no run, or no failure.
  private func isListed(_ issue: Issue) -> Bool {
    guard let run = latest.withLock(\.self), run.stage.isCurrent else { return true }
    return issues.withLock { issues in
      if exchange(&issues.tookLatest, with: false) { return false }
      return SourcePlace(issue).map { issues.listed.insert($0).inserted } ?? true
    }
  }
}

/// Nobody would be told of what fails.
private struct NoTest: Error, CustomStringConvertible {
  var description: String {
    """
    'explore' needs a test of Swift Testing, '@Test func': elsewhere, as under XCTest or in a detached task, nobody \
    is told of what fails
    """
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
  /// The check is the place: the values differ between runs.
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
