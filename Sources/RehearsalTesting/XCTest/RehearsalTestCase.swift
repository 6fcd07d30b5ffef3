#if canImport(Testing) && canImport(XCTest)
import Exploring
import Staging
import Synchronization
public import XCTest

/// A test case of XCTest whose tests run in virtual time: once, or under many schedules.
///
///     final class LoginTests: RehearsalTestCase {
///       func testTheSessionEnds() async throws {
///         let session = Session()
///         try await Task.sleep(for: .seconds(3_600))
///         XCTAssertTrue(session.isOver)
///       }
///     }
///
/// The bodies of the tests do not change. `setUp`, `tearDown` and waits for expectations are also in virtual time. A test
/// that waits forever fails at once, with what each task waits for.
///
///     final class RaceTests: RehearsalTestCase {
///       override class var trait: RehearsalTrait { .explored }
///     }
///
/// With `.explored`, each test first runs by the default schedule. If it passes, a search runs it by other schedules, each
/// time with a new instance of the class. Timers may be left at the end of a test, because XCTest itself leaves some.
open class RehearsalTestCase: XCTestCase {
  /// How each test of the class runs; `.rehearsed` if a class does not override it.
  open class var trait: RehearsalTrait { .rehearsed }

  /// What to add to each failure: the code that replays it.
  private var failureRemark = ""
  /// Whether this instance records failures, and no search catches them.
  private var locatesFailures = false
  /// Whether this instance is a run of a search. `invokeTest` is called for it, because a class may override it.
  private var isRun = false
  let warnings = TestWarnings()

  open override func invokeTest() {
    if isRun { return invokeOnStage() }
    let trait = Self.trait
    locatesFailures = true
    if case .search(let search) = trait.runs {
      failureRemark = """

        in the default schedule, so every schedule may fail
        to replay it: \(trait.replayCall(.classTrait(for: methodName)).text(Schedule()))
        """
      let hasWaited = invoke(.rehearsed)
      failureRemark = ""
      guard let testRun, testRun.totalFailureCount == 0 else { return }
      explore(trait, search, hasWaited: hasWaited, isSkipped: testRun.hasBeenSkipped)
    } else {
      invoke(trait)
    }
  }

  /// Runs the test once.
  ///
  /// - Returns: whether the test has waited for something.
  @discardableResult private func invoke(_ trait: RehearsalTrait) -> Bool {
    // One thread at a time uses them: this one waits until the others have ended.
    nonisolated(unsafe) let this = self
    nonisolated(unsafe) var hasWaited = true
    let replay = trait.replay(of: [methodName, name])
    recordIssues(.none, warnings) { issues in
      let options = trait.options(issues, .classTrait(for: methodName))
      try options.replayBlocking(replay.schedule) { run in
        this.invokeOnStage()
        hasWaited = run.stage.testHasWaited
      }
      replay.announce(name, nil, issues)
      if case .replay(_, let test?) = trait.runs, !replay.isForTest,
        SourceFrame(ofMethod: test, of: Self.self) == nil
      {
        issues.record(RehearsalTrait.remark(onUnknownTest: test), nil, true)
      }
      if !hasWaited, testRun?.hasBeenSkipped != true {
        issues.record(Self.remarkOnWaiting, nil, true)
      }
    }
    return hasWaited
  }

  /// Runs the test under many schedules. If the default one skips the test, others may not.
  private func explore(
    _ trait: RehearsalTrait,
    _ search: ScenarioSearch,
    hasWaited: Bool,
    isSkipped: Bool
  ) {
    nonisolated(unsafe) let this = self
    recordIssues(.xctest, warnings) { issues in
      guard let body = this.body else { throw NoBody() }
      if !this.hasKnownProperties { issues.record(Self.remarkOnProperties, nil, true) }
      let counts = RunCounts()
      nonisolated(unsafe) let make = {
        Self(name: this.methodName) { test in
          counts.begun.withLock { $0 += 1 }
          do {
            try body(test)
          } catch let skip as XCTSkip {
            counts.skips.withLock { $0 += 1 }
            throw skip
          }
        }
      }
      let findings = try trait.options(issues, .classTrait(for: methodName))
        .searchBlocking(search) { _ in
          let test = make()
          let before = counts.begun.withLock(\.self)
          test.isRun = true
          test.invokeTest()
          if counts.begun.withLock(\.self) == before, test.skipsItself {
            counts.skips.withLock { $0 += 1 }
          }
          test.failByUnwaitedExpectations()
        }
      if isSkipped, findings.schedules <= 1, findings.failures.isEmpty { return }
      if search.problem == nil { print(findings.summary(of: this.name)) }
      if hasWaited, let remark = findings.remarkOnOneSchedule { issues.record(remark, nil, true) }
      if counts.skips.withLock(\.self) > 0 {
        issues.record("'XCTSkip' ended the test in some schedules: they count as passed", nil, true)
      }
    }
  }

  private static let remarkOnWaiting = """
    the trait of the class has no effect on a test that does not wait: its assertions are checked before the tasks that it \
    starts have run. Declare it 'async' and wait for them, or move it to a class that inherits from XCTestCase
    """

  /// Adds the line of the test to a failure without a line, such as a thrown error.
  open override func recordFailure(
    withDescription description: String,
    inFile filePath: String,
    atLine lineNumber: Int,
    expected: Bool
  ) {
    let place =
      locatesFailures && lineNumber == 0
      ? SourceFrame(ofMethod: methodName, of: Self.self) : nil
    super.recordFailure(
      withDescription: description + failureRemark,
      inFile: place?.file ?? filePath,
      atLine: place?.line ?? lineNumber,
      expected: expected
    )
  }

  private func invokeOnStage() { super.invokeTest() }

  /// Whether XCTest has the private properties for skipped tests and for expectations.
  private var hasKnownProperties: Bool {
    privateValue("skip") != nil && privateValue("_allExpectations") is [XCTestExpectation]
      && Self.hasBeenWaitedOn(XCTestExpectation(description: "")) != nil
  }

  private static let remarkOnProperties = """
    this version of XCTest has other private properties: in schedules other than the default one, tests that 'setUp' skips \
    count as passed, and expectations that a test does not wait for are no failures
    """

  /// Whether a test has waited for an expectation; nil if XCTest does not tell.
  private static func hasBeenWaitedOn(_ expectation: XCTestExpectation) -> Bool? {
    Mirror(reflecting: expectation).children.first { $0.label == "_hasBeenWaitedOn" }?.value
      as? Bool
  }

  /// Whether `setUp` has thrown `XCTSkip`. XCTest keeps it in a private property.
  private var skipsItself: Bool { privateValue("skip") as? XCTSkip != nil }

  /// Fails like XCTest after a test, which a search does not call: by the first expectation that the test has made and not
  /// waited for.
  private func failByUnwaitedExpectations() {
    guard let all = privateValue("_allExpectations") as? [XCTestExpectation] else { return }
    let unwaited = all.filter { Self.hasBeenWaitedOn($0) == false }
    guard let first = unwaited.first else { return }
    let names = unwaited.map { "'\($0.expectationDescription)'" }.joined(separator: ", ")
    let place = Mirror(reflecting: first).children.first { $0.label == "creationSourceLocation" }
      .map { Mirror(reflecting: $0.value).children }
    let file = place?.first { $0.label == "file" }.map { "\($0.value)" }
    recordFailure(
      withDescription:
        "Failed due to unwaited expectation\(unwaited.count == 1 ? "" : "s") \(names)",
      inFile: file ?? #filePath,
      atLine: place?.first { $0.label == "line" }?.value as? Int ?? 0,
      expected: true
    )
  }

  /// Returns the value of a private property of XCTest's class; nil if it has none, or if it is nil.
  private func privateValue(_ name: String) -> Any? {
    sequence(first: Mirror(reflecting: self), next: \.superclassMirror).lazy
      .compactMap { $0.children.first { $0.label == name } }.first?.value
  }

  /// The function of the test. XCTest keeps it in a private property.
  private var body: XCTestCaseClosure? {
    guard let value = privateValue("testClosure"), value is XCTestCaseClosure else { return nil }
    // `Mirror` copies the function as the property stores it, but a cast expects the form of generic code.
    return withUnsafeBytes(of: value) { $0.load(as: StoredClosure.self).closure }
  }

  /// The name without that of the class.
  private var methodName: String { name.split(separator: ".").last.map(String.init) ?? name }
}

/// A test case of XCTest whose tests run in virtual time under many schedules: `RehearsalTestCase` with the trait
/// `.explored`.
///
///     final class RaceTests: ExploredTestCase {
///       func testTheListShowsTheLatestSearch() async throws { … }
///     }
open class ExploredTestCase: RehearsalTestCase {
  /// How each test of the class runs; `.explored` if a class does not override it.
  open override class var trait: RehearsalTrait { .explored }
}

/// The numbers of runs of a search whose test began, and that `XCTSkip` ended.
private final class RunCounts: Sendable {
  let begun = Mutex(0)
  let skips = Mutex(0)
}

private struct StoredClosure {
  let closure: XCTestCaseClosure
}

/// The error for an XCTest whose test cases have another form.
private struct NoBody: Error, CustomStringConvertible {
  var description: String {
    "this version of XCTest does not let a test run again: call 'explored { … }' in the test instead"
  }
}

extension RehearsalTrait {
  /// Returns the options of a test of XCTest.
  func options(_ issues: IssueRecorder, _ call: ReplayCall) -> ScenarioOptions {
    ScenarioOptions(
      limit: limit == RehearsalTrait.usualLimit ? 100_000 : limit,
      mayLeaveWork: mayLeaveWork,
      mayLeaveSleepers: true,
      preempting: preemption,
      issues: issues,
      replayCall: replayCall(call)
    )
  }
}
#endif
