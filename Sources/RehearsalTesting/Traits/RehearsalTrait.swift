#if canImport(Testing)
public import Exploring
import Staging
public import Testing

/// Runs a test in virtual time: once with `.rehearsed`, or under many schedules with `.explored`.
///
///     @Test(.explored) func `the list shows the latest search`() async throws {
///       let model = SearchModel(fetch: slowFetch)
///       model.search("sw")
///       model.search("swift")
///       try await Task.sleep(for: .seconds(5))
///       #expect(model.results == ["all about swift"])
///     }
///
/// The body of the test does not change. Each run creates the suite anew, and has a stage of its own: waiting takes no real
/// time, and tests that run at the same time do not interfere. On a suite, the trait holds for all its tests; the trait of
/// a test or of an inner suite replaces it. Each argument of a parameterised test has its own search.
///
/// `.timeLimit` also limits the virtual time of each run. Its real time, for all runs together, is limited as well.
public struct RehearsalTrait: TestTrait, SuiteTrait, TestScoping {
  enum Runs {
    case search(ScenarioSearch)
    /// One run; nil for the default schedule of `.rehearsed`.
    case replay(String?)
  }

  let runs: Runs
  let limit: Int
  let mayLeaveWork: Bool

  fileprivate init(search: ScenarioSearch, limit: Int, mayLeaveWork: Bool) {
    (runs, self.limit, self.mayLeaveWork) = (.search(search), limit, mayLeaveWork)
  }

  fileprivate init(replaying schedule: String?, limit: Int, mayLeaveWork: Bool) {
    (runs, self.limit, self.mayLeaveWork) = (.replay(schedule), limit, mayLeaveWork)
  }

  /// True: on a suite, the trait holds for all its tests.
  public var isRecursive: Bool { true }

  /// Returns the trait itself, for each case of a test, and for suites.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase != nil || test.isSuite ? self : nil
  }

  /// Performs the runs of a test, and records an issue for each failure. Around a suite, it performs only the suite.
  ///
  /// - Throws: `CancellationError` if the test is cancelled; an error if the test calls `explore` or runs on a stage.
  @concurrent public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let traits = test.traits.compactMap { $0 as? Self }
    let own = traits.dropFirst(RehearsedSuite.traitCount ?? 0)
    if own.count > 1, RehearsedTest.current != test.id {
      Issue.record(
        "'\(own.map(\.name).joined(separator: "' and '"))' are traits of one \(test.isSuite ? "suite" : "test"): keep one",
        sourceLocation: test.sourceLocation
      )
    }
    guard testCase != nil else {
      return try await RehearsedSuite.$traitCount.withValue(traits.count) { try await function() }
    }
    // The trait of the suite and that of the test both call this. The outer call does the work, by the inner trait.
    if RehearsedTest.current == test.id { return try await function() }
    let trait = traits.last ?? self
    try await RehearsedTest.$current.withValue(test.id) {
      try await withReusableFunction(function) { try await trait.perform(test, $0) }
    }
  }

  @concurrent private func perform(
    _ test: Test,
    _ function: @escaping @concurrent @Sendable () async throws -> Void
  ) async throws {
    let options = ScenarioOptions(
      limit: limit,
      mayLeaveWork: mayLeaveWork,
      issues: .swiftTesting(at: test.sourceLocation),
      replayCall: .trait
    )
    let scenario: @MainActor @Sendable (ExploredRun) async throws -> Void = { run in
      try await function()
      run.check(test)
    }
    var findings: Findings?
    switch runs {
    case .replay(let schedule):
      try await options.replay(schedule ?? "", scenario)
      Self.printSummary(of: test.displayName ?? test.name, replaying: schedule)
    case .search(let search):
      let found = try await options.search(search, scenario)
      guard search.problem == nil else { return }
      print(found.summary(of: test.displayName ?? test.name))
      findings = found
    }
    guard let remark = remark(on: test, findings) else { return }
    Issue.record(Comment(rawValue: remark), severity: .warning, sourceLocation: test.sourceLocation)
  }

  private var name: String { if case .replay(nil) = runs { ".rehearsed" } else { ".explored" } }

  /// Prints that a test ran by one schedule only: `replaying` would hide other failures if it stayed.
  static func printSummary(of test: String, replaying schedule: String?) {
    // A text that is no schedule is an issue.
    guard let schedule, Schedule(schedule) != nil else { return }
    let name = schedule.isEmpty ? "the default schedule" : "schedule '\(schedule)'"
    print("Test \"\(test)\" ran by \(name) only, because of 'replaying'.")
  }

  /// A remark about a trait that is of no use; nil for others. The output has a line for each test, so a suite may have
  /// the trait for some of its tests only.
  private func remark(on test: Test, _ findings: Findings?) -> String? {
    guard TestDeclaration(of: test)?.isAsync == false else { return findings?.remarkOnOneSchedule }
    let isInherited = test.traits.count { $0 is Self } == RehearsedSuite.traitCount
    guard !isInherited else { return nil }
    return """
      '\(name)' is the trait of a test without 'async': its expectations are checked before the tasks that it starts have \
      run. Declare it 'async' and wait for them, or remove the trait
      """
  }
}

/// The test whose body runs on a stage because of a trait.
private enum RehearsedTest {
  @TaskLocal static var current: Test.ID?
}

/// The suite around a test.
private enum RehearsedSuite {
  /// The number of its traits of this kind, with those of outer suites.
  @TaskLocal static var traitCount: Int?
}

extension Trait where Self == RehearsalTrait {
  /// Runs a test once in virtual time, by the default schedule: first in, first out.
  public static var rehearsed: Self {
    RehearsalTrait(replaying: nil, limit: 1_000_000, mayLeaveWork: true)
  }

  /// Runs a test in virtual time under many schedules; the first failure ends the search.
  public static var explored: Self { .explored() }

  /// Runs a test in virtual time under many schedules; the first failure ends the search. Each parameter is as of
  /// `explore`.
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
  ///   - mayLeaveWork: whether tasks may still sleep or wait when the test has ended.
  /// - Returns: the trait.
  public static func explored(
    schedules: Int = 10_000,
    strategy: Strategy? = nil,
    seed: UInt64 = 0,
    stopAfter: Int? = nil,
    until: Double? = nil,
    limit: Int = 10_000,
    mayLeaveWork: Bool = false
  ) -> Self {
    let search = ScenarioSearch(
      schedules: schedules,
      strategy: strategy,
      seed: seed,
      stopAfter: stopAfter,
      until: until
    )
    return RehearsalTrait(search: search, limit: limit, mayLeaveWork: mayLeaveWork)
  }

  /// Runs a test once in virtual time, by a schedule that a search has found. A crash ends the process, so that a debugger
  /// shows its place.
  ///
  /// - Parameters:
  ///   - schedule: the schedule in the issue of the search; empty for the default schedule.
  ///   - limit: the number of jobs at one instant, or of instants, after which a run counts as endless.
  ///   - mayLeaveWork: whether tasks may still sleep or wait when the test has ended.
  /// - Returns: the trait.
  public static func explored(
    replaying schedule: String,
    limit: Int = 10_000,
    mayLeaveWork: Bool = false
  ) -> Self {
    RehearsalTrait(replaying: schedule, limit: limit, mayLeaveWork: mayLeaveWork)
  }
}

extension ExploredRun {
  /// Fails the run if it has taken more virtual time than the test may.
  fileprivate func check(_ test: Test) {
    guard let limit = test.timeLimit else { return }
    let location = test.sourceLocation
    check(
      stage.now.elapsed <= limit,
      "the test ends within its time limit",
      "it took \(stage.now.elapsed) of virtual time; the limit is \(limit)",
      fileID: location.fileID,
      filePath: location.filePath,
      line: location.line,
      column: location.column
    )
  }
}

extension Findings {
  /// A remark about a test that has only one schedule; nil for others.
  fileprivate var remarkOnOneSchedule: String? {
    guard schedules == 1, isExhausted, failures.isEmpty else { return nil }
    return """
      '.explored' has nothing to vary: the test has only one schedule, because no two of its steps could change places. \
      '.rehearsed' is enough for it
      """
  }

  /// The number of schedules of a test, for its output.
  func summary(of test: String) -> String {
    let extent =
      if !failures.isEmpty {
        ", until one failed"
      } else if isExhausted {
        schedules == 1 ? ", the only one" : ", which are all"
      } else {
        "; there are more"
      }
    return "Test \"\(test)\" ran by \(schedules) schedule\(schedules == 1 ? "" : "s")\(extent)."
  }
}
#endif
