import Testing

@testable import Rehearsal

/// The Swift code of docs/tutorial.md, which must equal the example's code. The example is built
/// and tested.
@Suite struct TutorialTests {
  @Test func `each piece of code is a whole file of the example`() throws {
    let fences = try PageText("docs/tutorial.md").swift

    #expect(fences.count == 9)
    for fence in fences {
      let source = try PageText("Examples/SearchApp/" + fence.file).text
      #expect(source == fence.code + "\n", "\(fence.file)")
    }
  }
}
