#if canImport(Testing) && canImport(XCTest)
import Exploring
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

  open override func invokeTest() {
    let trait = Self.trait
    // One thread at a time uses it: this one waits until the others have ended.
    nonisolated(unsafe) let this = self
    switch trait.runs {
    case .replay(let schedule):
      recordIssues(.none) {
        try trait.options($0, .classTrait).replayBlocking(schedule ?? "") { _ in
          this.invokeOnStage()
        }
      }
      RehearsalTrait.printSummary(of: name, replaying: schedule)
    case .search(let search):
      recordIssues(.none) {
        try RehearsalTrait.rehearsed.options($0, .classTrait).replayBlocking("") { _ in
          this.invokeOnStage()
        }
      }
      guard let testRun, testRun.totalFailureCount == 0, !testRun.hasBeenSkipped else { return }
      recordIssues(.xctest) { recorder in
        guard let body = this.body else { throw NoBody() }
        nonisolated(unsafe) let make = { Self(name: this.methodName, testClosure: body) }
        let findings = try trait.options(recorder, .classTrait)
          .searchBlocking(search) { _ in make().invokeOnStage() }
        if search.problem == nil { print(findings.summary(of: this.name)) }
      }
    }
  }

  private func invokeOnStage() { super.invokeTest() }

  /// The function of the test. XCTest keeps it in a private property.
  private var body: XCTestCaseClosure? {
    var mirror: Mirror? = Mirror(reflecting: self)
    while let current = mirror {
      for child in current.children where child.label == "testClosure" {
        guard child.value is XCTestCaseClosure else { return nil }
        // `Mirror` copies the function as the property stores it, but a cast expects the form of generic code.
        return withUnsafeBytes(of: child.value) { $0.load(as: StoredClosure.self).closure }
      }
      mirror = current.superclassMirror
    }
    return nil
  }

  /// The name without that of the class.
  private var methodName: String { name.split(separator: ".").last.map(String.init) ?? name }
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
      limit: limit > 0 ? max(limit, 100_000) : limit,
      mayLeaveWork: mayLeaveWork,
      mayLeaveSleepers: true,
      issues: issues,
      replayCall: call
    )
  }
}
#endif
