#if canImport(Testing) && canImport(XCTest)
internal import CVirtualTime
import Dispatch
import Exploring
import Foundation
import Synchronization
import Testing
import XCTest

/// Makes the current test of XCTest fail; does nothing outside of one.
package func failTestOfXCTest(_ text: String) { XCTFail(text) }

/// Takes the failures of XCTest in a run of a search, or in a test of Swift Testing.
enum XCTestFailures {
  /// Whether this program can catch failures before XCTest records them.
  static var areCaught: Bool { cvt_catches_xctest_failures() }

  /// Whether XCTest also reports the failures of assertions in tests of Swift Testing. It ignores them while no test case
  /// is current.
  static let areReportedEverywhere: Bool = {
    if areCaught { reportEverywhere() }
    return areCaught
  }()

  /// Makes a test case current until the process ends.
  static func reportEverywhere() {
    let isCurrent = DispatchSemaphore(value: 0)
    Thread.detachNewThread { EndlessTestCase(isCurrent).run() }
    isCurrent.wait()
  }

  /// The address of the test case that is current in tests of Swift Testing; 0 if there is none.
  fileprivate static let endless = Mutex<UInt>(0)

  /// Makes the run of the calling thread fail. Without a run, in a test of Swift Testing, records an issue.
  ///
  /// - Returns: whether XCTest must not record the failure.
  fileprivate static func take(
    _ text: String,
    _ file: String,
    _ line: Int,
    of test: UnsafeRawPointer
  ) -> Bool {
    guard let takesFailure = RunNotice.ofThisThread?.takesFailure.withLock(\.self) else {
      guard endless.withLock(\.self) == UInt(bitPattern: test) else { return false }
      // Nobody would read the failures of the endless test case. Without a current test, Swift Testing still fails.
      let name = file.split(separator: "/").last.map(String.init) ?? file
      let place = SourceLocation(
        fileID: "Tests/\(name)",
        filePath: file,
        line: max(1, line),
        column: 1
      )
      Issue.record(Comment(rawValue: text), sourceLocation: place)
      return true
    }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    // The place of a thrown error is unknown.
    guard line > 0 else { return takesFailure(Violation(.throwsNothing, .text(text))) }
    return takesFailure(
      Violation(
        .expectation(file: name, line: line),
        .text(text),
        place: SourcePlace(fileID: file, filePath: file, line: line, column: 1)
      )
    )
  }
}

/// A test case that never ends, and so stays the current one. XCTest looks only whether there is one.
private final class EndlessTestCase: XCTestCase {
  private let isCurrent: DispatchSemaphore

  init(_ isCurrent: DispatchSemaphore) {
    self.isCurrent = isCurrent
    super.init(name: "assertions in tests of Swift Testing") { _ in }
  }

  required init(name: String, testClosure: @escaping XCTestCaseClosure) {
    preconditionFailure("XCTest does not create it.")
  }

  override func invokeTest() {
    let address = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    XCTestFailures.endless.withLock { $0 = address }
    isCurrent.signal()
    DispatchSemaphore(value: 0).wait()
  }
}

/// Called by `CVirtualTime` for each failure that XCTest is about to record.
@_silgen_name("rehearsal_take_xctest_failure")
func takeXCTestFailure(
  _ description: String,
  _ file: String,
  _ line: Int,
  _ test: UnsafeRawPointer
) -> Bool {
  XCTestFailures.take(description, file, line, of: test)
}
#endif
