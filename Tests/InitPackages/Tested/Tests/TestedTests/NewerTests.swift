import Testing

@testable import Tested

@Test @MainActor func `nothing is saved at first`() {
  guard case .idle = ProfileModel().saving else {
    Issue.record("it is saving")
    return
  }
}
