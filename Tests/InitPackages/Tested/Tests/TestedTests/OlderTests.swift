import XCTest

@testable import Tested

final class OlderTests: XCTestCase {
  func testTheNameIsAbsentAtFirst() async {
    let isAbsent = await MainActor.run {
      if case .absent = ProfileModel().name { true } else { false }
    }
    XCTAssertTrue(isAbsent)
  }
}
