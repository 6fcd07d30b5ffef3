import Testing

@testable import Rehearsal

/// Sessions that are explored after one of their files has changed.
@Suite struct ChangedFileTests {
  private static let session = [
    "loadable a", "save s.transcript", "forget a", "source s.transcript",
  ]

  @Test func `a session is not explored if a file has changed since it was read`() {
    let lines = performed(Self.session + ["load a 1", "save s.transcript", "explore"])

    #expect(lines.contains("error: 's.transcript' has changed since this session read it"))
  }

  @Test func `a session is explored if its files are unchanged`() {
    let lines = performed(Self.session + ["load a 1", "explore"])

    #expect(!lines.contains { $0.contains("has changed") })
  }
}
