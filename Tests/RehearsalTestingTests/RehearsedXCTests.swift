import Dispatch
import Foundation
import RehearsalTesting
import Testing
import XCTest

/// Tests of XCTest in virtual time, which XCTest performs.
final class RehearsedXCTests: RehearsalTestCase {
  private var start: ContinuousClock.Instant?

  override func setUp() async throws {
    start = .now
    try await Task.sleep(for: .seconds(5))
  }

  func testTimeIsVirtual() async throws {
    try await Task.sleep(for: .seconds(100))
    XCTAssertEqual(start?.duration(to: .now), .seconds(105))
  }

  @MainActor func testOnTheMainActor() async throws {
    try await Task.sleep(for: .seconds(1))
    XCTAssertEqual(start?.duration(to: .now), .seconds(6))
  }

  func testExpectation() {
    let isOver = expectation(description: "the block runs")
    DispatchQueue.main.asyncAfter(deadline: .now() + 30) { isOver.fulfill() }
    wait(for: [isOver], timeout: 60)
  }
}

/// Failing tests of XCTest.
@Suite(.serialized) struct RehearsalTestCaseTests {
  private final class Rehearsed: RehearsalTestCase {
    override var testRunClass: AnyClass? { Run.self }
  }

  private final class Run: XCTestCaseRun {
    var failures: [String] = []

    override func recordFailure(
      withDescription description: String,
      inFile filePath: String?,
      atLine lineNumber: Int,
      expected: Bool
    ) {
      failures.append(description)
    }
  }

  private func perform(_ body: @escaping @Sendable () async throws -> Void) -> Run {
    let test = Rehearsed(name: "test") { test in
      try asyncTest { (_: Rehearsed) in body }(test as! Rehearsed)()
    }
    test.run()
    return test.testRun as! Run
  }

  @Test func `all failures of a test are recorded`() {
    let run = perform {
      XCTAssertEqual(1, 2)
      XCTFail("no")
      throw CocoaError(.fileNoSuchFile)
    }
    #expect(run.failures.count == 3)
  }

  @Test func `a blocking call that never ends is a failure`() {
    let test = Rehearsed(name: "test") { _ in DispatchSemaphore(value: 0).wait() }
    test.run()
    let failures = (test.testRun as? Run)?.failures
    #expect(failures?.count == 1)
    #expect(failures?.first?.contains("DispatchSemaphore.wait") == true)
  }

  @Test func `a skipped test is reported`() {
    let run = perform { throw XCTSkip("later") }
    #expect(run.failures.isEmpty)
    #expect(run.hasBeenSkipped)
  }

  @Test func `a search in a test is a failure`() {
    let run = perform { try await explore { _ in } }
    #expect(run.failures.count == 1)
    #expect(run.failures.first?.contains("remove one of the two") == true)
  }
}
