#if canImport(Testing) && canImport(XCTest)
internal import CTestProgram
import Exploring
import Synchronization

/// The failures of XCTest.
enum XCTestFailures {
  /// Whether this program can catch failures before XCTest records them.
  static var areCaught: Bool { ctp_catches_failures() }

  /// Makes the run of the calling thread fail, if there is one.
  fileprivate static func take(_ text: String, _ file: String, _ line: Int) -> Bool {
    guard let takesFailure = RunNotice.ofThisThread?.takesFailure.withLock(\.self) else {
      return false
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

/// Called by `CTestProgram` for each failure that XCTest is about to record.
@_silgen_name("rehearsal_take_xctest_failure")
func takeXCTestFailure(_ description: String, _ file: String, _ line: Int) -> Bool {
  XCTestFailures.take(description, file, line)
}
#endif
