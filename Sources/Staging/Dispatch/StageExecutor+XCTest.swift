import CVirtualTime

/// Waits of XCTest for expectations and for `async` tests. XCTest looks ten times a second whether a wait is over; on a stage
/// such a wait lasts until an expectation is fulfilled or its timeout comes.
extension StageExecutor {
  /// XCTest also sets a timer, which comes this much later than the timeout, in nanoseconds.
  private static let slack: Int64 = 250_000_000
  /// XCTest waits for an `async` function this long, in nanoseconds. It then ignores that the function has not ended.
  private static let endless: Int64 = 30 * 86_400 * 1_000_000_000

  /// Whether XCTest has called the running function of a library.
  static var isCalledByXCTest: Bool {
    StackFunction.callers(at: ReturnAddresses.ofCallers()).first { !$0.isLibrary }?.isXCTest == true
  }

  /// Notes the timer of a wait.
  ///
  /// - Returns: whether the timer is needed: an `async` test that never ends fails without it.
  func noteTestTimer(at instant: Int64) -> Bool {
    guard instant - nanoseconds < Self.endless else { return false }
    dispatching.testTimeouts.append(instant - Self.slack)
    return true
  }

  /// Waits until a run loop is stopped, or until the next timeout.
  ///
  /// - Returns: whether it was stopped.
  func waitForExpectations() -> Bool {
    noteWaitOfTest(ReturnAddresses.ofCallers())
    if dispatching.loopWasStopped {
      dispatching.loopWasStopped = false
      return true
    }
    dispatching.testTimeouts.removeAll { $0 <= nanoseconds }
    let timeout = dispatching.testTimeouts.min()
    if block(.test, call: "the wait of XCTest for the end of the test", until: timeout) {
      return true
    }
    // Nothing is left to do, so the test never ends. XCTest must not wait any longer.
    if timeout == nil { nanoseconds += Self.endless }
    return false
  }

  /// Notes a wait of the function of a test: of an `async` one, or by a call in it. XCTest also waits for the functions
  /// before and after each test.
  func noteWaitOfTest(_ frames: [UInt]) {
    if testHasWaited { return }
    let inTest = StackFunction.callers(at: frames).prefix {
      $0.name != "RehearsalTestCase.invokeOnStage()"
    }
    testHasWaited = inTest.contains { $0.isTested || $0.isAsyncTest }
  }
}

extension Stage {
  /// Whether a test of XCTest on this stage has waited, so that tasks could run before its end. For the thread that drives
  /// the stage.
  package var testHasWaited: Bool { executor.testHasWaited }
}
