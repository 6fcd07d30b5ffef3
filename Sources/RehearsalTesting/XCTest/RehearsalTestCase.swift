#if canImport(Testing) && canImport(XCTest)
import Exploring
import Synchronization
public import XCTest

/// A test case of XCTest whose tests run in virtual time, once, by the default schedule: first in, first out.
///
///     final class LoginTests: RehearsalTestCase {
///       func testTheSessionEnds() async throws {
///         let session = Session()
///         try await Task.sleep(for: .seconds(3_600))
///         XCTAssertTrue(session.isOver)
///       }
///     }
///
/// The bodies of the tests do not change. `setUp`, `tearDown` and waits for expectations are also in virtual time. XCTest
/// records each failure. Tasks may still sleep or wait when a test has ended, because XCTest itself leaves timers. If an
/// `async` test waits forever, the test run stops, and standard error names the test after 5 seconds.
open class RehearsalTestCase: XCTestCase {
  open override func invokeTest() {
    let found = Mutex<[(text: String, place: SourcePlace?)]>([])
    let name = name
    let issues = IssueRecorder(place: name, failures: .none) { text, place, isWarning in
      if isWarning {
        print("warning: \(name): \(text)")
      } else {
        found.withLock { $0.append((text, place)) }
      }
    }
    let options = ScenarioOptions(limit: 100_000, mayLeaveWork: true, issues: issues)
    // One thread at a time uses it: this one waits until the others have ended.
    nonisolated(unsafe) let this = self
    do {
      try options.replayBlocking("") { _ in this.invokeOnStage() }
    } catch {
      found.withLock { $0.append(("\(error)", nil)) }
    }
    for issue in found.withLock(\.self) {
      recordFailure(
        withDescription: issue.text,
        inFile: issue.place?.filePath ?? name,
        atLine: issue.place?.line ?? 0,
        expected: true
      )
    }
  }

  private func invokeOnStage() { super.invokeTest() }
}
#endif
