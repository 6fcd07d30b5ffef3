import Testing

@testable import Rehearsal

@Suite struct ReferenceTests {
  @Test func `the reference in docs is generated from the definitions`() throws {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    let path = root.joined(separator: "/") + "/docs/commands.md"
    let written = String(decoding: try FileBytes.read(path), as: UTF8.self)
    #expect(written == Reference.markdown, "rehearse reference > docs/commands.md")
  }
}
