#if canImport(Testing)
public import Exploring
import RehearsalBase
import Staging
import Synchronization
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
/// `.timeLimit` limits the virtual time of each run: a run that has not ended then fails. The same limit holds for the
/// real time of all runs together.
public struct RehearsalTrait: TestTrait, SuiteTrait, TestScoping {
  enum Runs {
    case search(ScenarioSearch)
    /// One run by the default schedule.
    case once
    /// One run by a schedule, if the test or its argument has this name; nil for every test.
    case replay(String, of: String?)
  }

  let runs: Runs
  let limit: Int
  /// The limit that a trait has if it is not given. Tests of XCTest have a larger one.
  public static let usualLimit = 10_000
  let mayLeaveWork: Bool
  let preemption: Preemption?

  fileprivate init(
    _ runs: Runs,
    limit: Int,
    mayLeaveWork: Bool,
    preempting preemption: Preemption?
  ) {
    (self.runs, self.limit, self.mayLeaveWork) = (runs, limit, mayLeaveWork)
    self.preemption = preemption
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
    let own = traits.dropFirst(RehearsedSuite.current?.traitCount ?? 0)
    if own.count > 1, RehearsedTest.current != test.id {
      Issue.record(
        "'\(own.map(\.name).joined(separator: "' and '"))' are traits of one \(test.isSuite ? "suite" : "test"): keep one",
        sourceLocation: test.sourceLocation
      )
    }
    guard let testCase else {
      return try await RehearsedSuite(traitCount: traits.count, own.last).perform(test, function)
    }
    // The trait of the suite and that of the test both call this. The outer call does the work, by the inner trait.
    if RehearsedTest.current == test.id { return try await function() }
    let trait = traits.last ?? self
    try await RehearsedTest.$current.withValue(test.id) {
      try await withReusableFunction(function) { try await trait.perform(test, testCase, $0) }
    }
  }

  @concurrent private func perform(
    _ test: Test,
    _ testCase: Test.Case,
    _ function: @escaping @concurrent @Sendable () async throws -> Void
  ) async throws {
    let argument = testCase.argumentText
    let issues = IssueRecorder.swiftTesting(at: test.sourceLocation)
    let options = ScenarioOptions(
      limit: limit,
      mayLeaveWork: mayLeaveWork,
      preempting: preemption,
      timeLimit: test.timeLimit,
      issues: issues,
      replayCall: replayCall(.trait(of: argument))
    )
    let scenario: ScenarioBody = { _ in try await function() }
    var findings: Findings?
    if case .search(let search) = runs {
      let found = try await options.search(search, isOfTest: true, scenario)
      guard search.problem == nil else { return }
      print(found.summary(of: test.displayName ?? test.name, argument))
      if let remark = outerTraits(of: test, testCase) { print(remark) }
      findings = found
    } else {
      let name = test.displayName ?? test.name
      let replay = replay(of: [test.name, test.baseName, name] + (argument.map { [$0] } ?? []))
      if case .replay = runs { note(replay, of: test, issues) }
      try await options.replay(replay.schedule, isCrashIsolated: isOnce, scenario)
      replay.announce(name, argument, issues)
    }
    if let remark = remark(on: test, findings) { issues.record(remark, nil, true) }
  }

  /// A line about the traits that run code once, around all runs of a test, because they come before this kind of trait; nil
  /// if there are none.
  func outerTraits(of test: Test, _ testCase: Test.Case) -> String? {
    let first = test.traits.firstIndex { $0 is Self } ?? 0
    let outer = test.traits[..<first].filter { $0.providesScope(test, testCase) }
    if outer.isEmpty { return nil }
    let names = outer.map { "'\(type(of: $0))'" }.joined(separator: ", ")
    let (verb, pronoun) = outer.count == 1 ? ("runs", "it comes") : ("run", "they come")
    return "\(names) \(verb) once, around all schedules, because \(pronoun) before '\(name)'."
  }

  /// The call that replays a schedule of this trait, with the options of its search.
  func replayCall(_ call: ReplayCall) -> ReplayCall {
    if case .once = runs { return call }
    return call.keeping(limit: limit, mayLeaveWork: mayLeaveWork, preempting: preemption)
  }

  /// Whether a test runs once, by the default schedule.
  private var isOnce: Bool { if case .once = runs { true } else { false } }

  private var name: String { isOnce ? ".rehearsed" : ".explored" }

  /// A remark about a name that no test has.
  static func remark(onUnknownTest name: String) -> String {
    """
    'replaying' is for '\(name)', but no test or argument with this name ran, so no schedule was tried: correct the name, or \
    remove 'replaying'
    """
  }

  /// The schedule of a single run.
  struct Replay {
    let schedule: String
    /// What the output says about the run, as a clause; nil without `replaying`.
    var remark: String?
    /// Whether the remark is a warning: `replaying` would hide other failures if it stayed.
    var isWarning = false
    /// Whether the trait is for this test.
    var isForTest = true

    /// Adds the remark to the output of a test.
    func announce(_ test: String, _ argument: String?, _ issues: IssueRecorder) {
      guard let remark else { return }
      if isWarning { return issues.record("the test " + remark, nil, true) }
      print("Test \"\(test)\"\(Findings.clause(argument)) \(remark).")
    }
  }

  /// Returns the schedule of the run of a test without a search.
  ///
  /// - Parameter names: the names of the test, and its argument as text.
  /// - Returns: the schedule, with what the output says about it.
  func replay(of names: [String]) -> Replay {
    guard case .replay(let schedule, let test) = runs else { return Replay(schedule: "") }
    if let test, !names.contains(test) {
      let remark = "ran under the default schedule only, because 'replaying' is for '\(test)'"
      return Replay(schedule: "", remark: remark, isForTest: false)
    }
    let remark = ScenarioOptions.remark(onReplay: schedule)
    return Replay(schedule: schedule, remark: remark, isWarning: true)
  }

  /// Notes whether `replaying` is for a test. If it is not for one of its arguments, the test has a warning.
  private func note(_ replay: Replay, of test: Test, _ issues: IssueRecorder) {
    if replay.isForTest {
      RehearsedSuite.current?.noteReplay()
    } else if suite(sharing: test) == nil,
      RehearsedTest.notReplayed.withLock({ $0.insert(test.id).inserted })
    {
      issues.record(
        "'replaying' is not for all arguments of the test: the others ran under the default schedule only",
        nil,
        true
      )
    }
  }

  /// Returns the suite that a test has its trait from; nil if it is a trait of the test.
  private func suite(sharing test: Test) -> RehearsedSuite? {
    RehearsedSuite.current.flatMap { suite in
      test.traits.count { $0 is Self } == suite.traitCount ? suite : nil
    }
  }

  /// A remark about a trait that is of no use; nil for others. A suite lists its tests without `async` at its end.
  private func remark(on test: Test, _ findings: Findings?) -> String? {
    guard TestDeclaration(of: test)?.isAsync == false else { return findings?.remarkOnOneSchedule }
    if let suite = suite(sharing: test) {
      suite.note(test.displayName ?? test.name, name)
      return nil
    }
    return """
      '\(name)' is the trait of a test without 'async': its expectations are checked before the tasks that it starts have \
      run. Declare it 'async' and wait for them, or remove the trait
      """
  }
}

extension Trait {
  /// Whether a trait that is not from Swift Testing runs code around a test.
  fileprivate func providesScope(_ test: Test, _ testCase: Test.Case) -> Bool {
    !String(reflecting: Self.self).hasPrefix("Testing.")
      && scopeProvider(for: test, testCase: testCase) != nil
  }
}

/// The test whose body runs on a stage because of a trait.
private enum RehearsedTest {
  /// The tests with a warning about arguments that are not replayed. Each has one.
  static let notReplayed = Mutex<Set<Test.ID>>([])
  @TaskLocal static var current: Test.ID?
}

/// The suite around a test.
private final class RehearsedSuite: Sendable {
  @TaskLocal static var current: RehearsedSuite?

  /// The number of its traits of this kind, with those of outer suites.
  let traitCount: Int
  /// The trait of this suite itself.
  private let trait: RehearsalTrait?
  private let outer = RehearsedSuite.current
  /// Whether `replaying` was for a test of the suite.
  private let hasReplayed = Mutex(false)
  /// The tests without `async` that have the trait of the suite, each with the name of the trait.
  private let withoutAsync = Mutex<[String: String]>([:])

  init(traitCount: Int, _ trait: RehearsalTrait?) {
    (self.traitCount, self.trait) = (traitCount, trait)
  }

  func noteReplay() {
    hasReplayed.withLock { $0 = true }
    outer?.noteReplay()
  }

  func note(_ test: String, _ trait: String) { withoutAsync.withLock { $0[test] = trait } }

  /// Performs the tests of the suite, and then records warnings about what the trait has no effect on.
  @concurrent func perform(
    _ suite: Test,
    _ function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await Self.$current.withValue(self) { try await function() }
    if case .replay(_, let name?)? = trait?.runs, !hasReplayed.withLock(\.self) {
      let text = RehearsalTrait.remark(onUnknownTest: name)
      Issue.record(
        Comment(rawValue: text),
        severity: .warning,
        sourceLocation: suite.sourceLocation
      )
    }
    let found = withoutAsync.withLock(\.self)
    guard let trait = found.values.first else { return }
    let names = found.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
    let text = """
      '\(trait)' is the trait of a suite with tests without 'async': \(names). Their expectations are checked before the \
      tasks that they start have run. Declare them 'async' and wait for the tasks, or move them to a suite without the trait
      """
    Issue.record(Comment(rawValue: text), severity: .warning, sourceLocation: suite.sourceLocation)
  }
}

extension Trait where Self == RehearsalTrait {
  /// Runs a test once in virtual time, by the default schedule: first in, first out.
  public static var rehearsed: Self {
    RehearsalTrait(.once, limit: 1_000_000, mayLeaveWork: true, preempting: nil)
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
  ///   - preemption: where other code may run although the running code does not wait; nil for nowhere.
  /// - Returns: the trait.
  public static func explored(
    schedules: Int = 10_000,
    strategy: Strategy? = nil,
    seed: UInt64 = 0,
    stopAfter: Int? = nil,
    until: Double? = nil,
    limit: Int = RehearsalTrait.usualLimit,
    mayLeaveWork: Bool = false,
    preempting preemption: Preemption? = nil
  ) -> Self {
    let search = ScenarioSearch(
      schedules: schedules,
      strategy: strategy,
      seed: seed,
      stopAfter: stopAfter,
      until: until
    )
    return RehearsalTrait(
      .search(search),
      limit: limit,
      mayLeaveWork: mayLeaveWork,
      preempting: preemption
    )
  }

  /// Runs a test once in virtual time, by a schedule that a search has found. A crash ends the process, so that a debugger
  /// shows its place.
  ///
  /// - Parameters:
  ///   - schedule: the schedule in the issue of the search; empty for the default schedule.
  ///   - test: the test that the schedule belongs to, such as `testItIsOver`, or its argument as text, such as `60`; nil for
  ///     all tests that have the trait. Other tests and arguments run by the default schedule, and the output says so.
  ///   - limit: the number of jobs at one instant, or of instants, after which a run counts as endless.
  ///   - mayLeaveWork: whether tasks may still sleep or wait when the test has ended.
  ///   - preemption: where other code may run although the running code does not wait; nil for nowhere.
  /// - Returns: the trait.
  public static func explored(
    replaying schedule: String,
    in test: String? = nil,
    limit: Int = RehearsalTrait.usualLimit,
    mayLeaveWork: Bool = false,
    preempting preemption: Preemption? = nil
  ) -> Self {
    RehearsalTrait(
      .replay(schedule, of: test),
      limit: limit,
      mayLeaveWork: mayLeaveWork,
      preempting: preemption
    )
  }
}

extension Findings {
  /// A remark about a test that has only one schedule; nil for others.
  var remarkOnOneSchedule: String? {
    guard schedules == 1, end == .complete, failures.isEmpty else { return nil }
    return """
      '.explored' has nothing to vary: the test has only one schedule, because no two of its jobs can run in another \
      order. '.rehearsed' is enough for it
      """
  }

  /// The number of schedules of a test, for its output.
  func summary(of test: String, _ argument: String? = nil) -> String {
    "Test \"\(test)\"\(Self.clause(argument)) ran under \(extent)."
  }

  /// Prints how many schedules a search at a line has tried, if it has left something out.
  func printExtent(at location: SourceLocation) {
    guard failures.isEmpty, end != .complete else { return }
    print("explore at \(location.fileName):\(location.line) ran under \(extent).")
  }

  private var extent: String {
    let number = "schedule".counted(schedules)
    if !failures.isEmpty { return "\(number), until one failed" }
    if end == .partial { return "\(number); not everything could vary" }
    guard isExhausted else { return "\(number); there are more" }
    return (schedules == 1 ? "its only schedule" : "all \(number)") + conditions
  }

  /// What "all" relies on, as clauses.
  private var conditions: String {
    (assumesIsolation ? ", if tasks share state only through actors" : "")
      + (drawsRandomNumbers ? ", with the random numbers of one seed" : "")
  }

  fileprivate static func clause(_ argument: String?) -> String {
    argument.map { " with argument \($0)" } ?? ""
  }
}
#endif
