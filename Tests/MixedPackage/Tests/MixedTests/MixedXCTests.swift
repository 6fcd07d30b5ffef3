import Foundation
import RehearsalTesting
import XCTest

final class VirtualXCTests: RehearsalTestCase {
  func testSleepsTakeNoRealTime() async throws {
    let start = Date()
    try await Task.sleep(for: .seconds(3_600))
    XCTAssertEqual(Date().timeIntervalSince(start), 3_600)
  }

  func testExpectationsAreFulfilledLater() {
    let expectation = expectation(description: "later")
    DispatchQueue.main.asyncAfter(deadline: .now() + 60) { expectation.fulfill() }
    wait(for: [expectation], timeout: 100)
  }
}

final class ExploredXCTests: RehearsalTestCase {
  override class var trait: RehearsalTrait { .explored }

  /// Fails on purpose, always by the same schedule.
  func testTheLastWriterWins() async {
    let counter = Counter()
    let first = Task { await counter.set(1) }
    let second = Task { await counter.set(2) }
    _ = await (first.value, second.value)
    let sum = await counter.sum
    XCTAssertEqual(sum, 2)
  }
}

final class OrdinaryXCTests: XCTestCase {
  func testSleepsTakeRealTime() async throws {
    let start = ContinuousClock.now
    try await Task.sleep(for: .milliseconds(3))
    let passed = ContinuousClock.now - start
    XCTAssertTrue(passed >= .milliseconds(3) && passed < .seconds(10))
  }

  func testExpectationsAreFulfilledByAQueue() {
    let expectation = expectation(description: "later")
    let start = DispatchTime.now()
    DispatchQueue.global().asyncAfter(deadline: start + .milliseconds(3)) { expectation.fulfill() }
    wait(for: [expectation], timeout: 10)
    XCTAssertGreaterThanOrEqual(DispatchTime.now(), start + .milliseconds(3))
  }

  func testATimerFires() {
    let expectation = expectation(description: "three times")
    expectation.expectedFulfillmentCount = 3
    let timer = Timer.scheduledTimer(withTimeInterval: 0.002, repeats: true) { _ in
      expectation.fulfill()
    }
    wait(for: [expectation], timeout: 10)
    timer.invalidate()
  }
}
