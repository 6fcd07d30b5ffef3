#if canImport(Testing) && canImport(XCTest)
public import Exploring
import Synchronization
public import XCTest

/// Runs a part of an XCTest test in virtual time: `rehearsed` and `explored`; records its failures and warnings.
extension XCTestCase {
  /// Runs a part of a test once in virtual time, by the default schedule: first in, first out.
  ///
  ///     func testTheSessionEnds() async throws {
  ///       try await rehearsed {
  ///         let session = Session()
  ///         try await Task.sleep(for: .seconds(3_600))
  ///         XCTAssertTrue(session.isOver)
  ///       }
  ///     }
  ///
  /// XCTest records each failure. A body that waits forever is a failure.
  ///
  /// - Parameters:
  ///   - file: the file of failures that have no other line.
  ///   - line: the line of failures that have no other line.
  ///   - body: the code. It runs on the main actor if it has no other isolation.
  /// - Throws: `CancellationError` if the test is cancelled.
  public func rehearsed(
    file: StaticString = #filePath,
    line: UInt = #line,
    _ body: @escaping () async throws -> Void
  ) async throws {
    try await perform(.rehearsed, file, line, body)
  }

  /// Runs a part of a test in virtual time under many schedules; the first failure ends the search, and is the only one
  /// that XCTest records. The parameters are those of `explore`.
  ///
  ///     func testTheListShowsTheLatestSearch() async throws {
  ///       try await explored {
  ///         let model = SearchModel(fetch: slowFetch)
  ///         model.search("sw")
  ///         model.search("swift")
  ///         try await Task.sleep(for: .seconds(5))
  ///         XCTAssertEqual(model.results, ["all about swift"])
  ///       }
  ///     }
  ///
  /// The body runs many times, so it must create everything that it changes.
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
  ///   - mayLeaveWork: whether tasks may still sleep or wait when the body has ended.
  ///   - preemption: where other code may run although the running code does not wait; nil for nowhere.
  ///   - file: the file of failures that have no other line.
  ///   - line: the line of failures that have no other line.
  ///   - body: the code. It runs on the main actor if it has no other isolation.
  /// - Throws: `CancellationError` if the test is cancelled.
  public func explored(
    schedules: Int = 10_000,
    strategy: Strategy? = nil,
    seed: UInt64 = 0,
    stopAfter: Int? = nil,
    until: Double? = nil,
    limit: Int = 10_000,
    mayLeaveWork: Bool = false,
    preempting preemption: Preemption? = nil,
    file: StaticString = #filePath,
    line: UInt = #line,
    _ body: @escaping () async throws -> Void
  ) async throws {
    let trait = RehearsalTrait.explored(
      schedules: schedules,
      strategy: strategy,
      seed: seed,
      stopAfter: stopAfter,
      until: until,
      limit: limit,
      mayLeaveWork: mayLeaveWork,
      preempting: preemption
    )
    try await perform(trait, file, line, body)
  }

  /// Runs a part of a test once in virtual time, by a schedule that a search has found. A crash ends the process, so that a
  /// debugger shows its place.
  ///
  /// - Parameters:
  ///   - schedule: the schedule in the failure of the search; empty for the default schedule.
  ///   - limit: the number of jobs at one instant, or of instants, after which a run counts as endless.
  ///   - mayLeaveWork: whether tasks may still sleep or wait when the body has ended.
  ///   - preemption: where other code may run although the running code does not wait; nil for nowhere.
  ///   - file: the file of failures that have no other line.
  ///   - line: the line of failures that have no other line.
  ///   - body: the code.
  /// - Throws: `CancellationError` if the test is cancelled.
  public func explored(
    replaying schedule: String,
    limit: Int = 10_000,
    mayLeaveWork: Bool = false,
    preempting preemption: Preemption? = nil,
    file: StaticString = #filePath,
    line: UInt = #line,
    _ body: @escaping () async throws -> Void
  ) async throws {
    let trait = RehearsalTrait.explored(
      replaying: schedule,
      limit: limit,
      mayLeaveWork: mayLeaveWork,
      preempting: preemption
    )
    try await perform(trait, file, line, body)
  }

  private func perform(
    _ trait: RehearsalTrait,
    _ file: StaticString,
    _ line: UInt,
    _ body: @escaping () async throws -> Void
  ) async throws {
    // This function waits until the thread of the runs has ended, and each run ends before the next one begins.
    nonisolated(unsafe) let body = body
    // XCTest records each failure of a single run.
    let failures: FailureSource = if case .search = trait.runs { .xctest } else { .none }
    let collector = IssueCollector(name, failures, file: "\(file)", line: Int(line))
    let call: ReplayCall = if case .once = trait.runs { .rehearsedClosure } else { .closure }
    var options = trait.options(collector.recorder, call)
    options.limit = trait.limit
    do {
      if case .search(let search) = trait.runs {
        let findings = try await options.search(search) { _ in try await body() }
        if search.problem == nil { print(findings.summary(of: name)) }
        if let remark = findings.remarkOnOneSchedule { options.issues.record(remark, nil, true) }
      } else {
        let replay = trait.replay(of: [])
        try await options.replay(replay.schedule) { _ in try await body() }
        replay.announce(name, nil, options.issues)
      }
    } catch {
      collector.record(in: self)
      throw error
    }
    collector.record(in: self)
  }

  /// Calls a function, and records the issues and the error as failures. Those without a line have line 0.
  func recordIssues(
    _ failures: FailureSource,
    _ warnings: TestWarnings,
    _ body: (IssueRecorder) throws -> Void
  ) {
    let collector = IssueCollector(name, failures, warnings, file: name, line: 0)
    do {
      try body(collector.recorder)
    } catch {
      collector.recorder.record("\(error)", nil, false)
    }
    collector.record(in: self)
  }
}

/// The warnings of a test of XCTest, which has none itself. Each is printed once.
final class TestWarnings: Sendable {
  private let printed = Mutex<[String]>([])

  var texts: [String] { printed.withLock(\.self) }

  func add(_ text: String, to test: String) {
    let isNew = printed.withLock { printed in
      if printed.contains(text) { return false }
      printed.append(text)
      return true
    }
    if isNew { print("warning: \(test): \(text)") }
  }
}

/// The issues of a test of XCTest, until the thread of the test records them.
private final class IssueCollector: Sendable {
  private let name: String
  private let failures: FailureSource
  private let warnings: TestWarnings
  private let place: SourcePlace
  private let found = Mutex<[(text: String, place: SourcePlace)]>([])

  init(
    _ name: String,
    _ failures: FailureSource,
    _ warnings: TestWarnings = TestWarnings(),
    file: String,
    line: Int
  ) {
    (self.name, self.failures, self.warnings) = (name, failures, warnings)
    place = SourcePlace(fileID: file, filePath: file, line: line, column: 1)
  }

  var recorder: IssueRecorder {
    IssueRecorder(place: name, failures: failures) { text, place, isWarning in
      if isWarning {
        self.warnings.add(text, to: self.name)
      } else {
        self.found.withLock { $0.append((text, place ?? self.place)) }
      }
    }
  }

  func record(in test: XCTestCase) {
    for issue in found.withLock({ exchange(&$0, with: []) }) {
      test.recordFailure(
        withDescription: issue.text,
        inFile: issue.place.filePath,
        atLine: issue.place.line,
        expected: true
      )
    }
  }
}
#endif
