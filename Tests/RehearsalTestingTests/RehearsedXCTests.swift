import Dispatch
import Foundation
import RehearsalTesting
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
