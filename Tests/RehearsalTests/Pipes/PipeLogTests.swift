import Testing

@testable import Rehearsal
@testable import Script

/// The events that a pipe keeps for its log.
@MainActor @Suite struct PipeLogTests {
  private let run = PipeRun()

  @Test func `a log keeps the latest events, and counts the removed ones`() throws {
    try run.pipe("p", "load fail \"no\" | retry 9999")
    let lines = try run.log(of: "p")

    #expect(lines.first == "… 20001 more events of p; the latest 10000 are kept")
    #expect(lines.count == 10_001)
    #expect(lines.last == "0.000s  p | retry  failed: \"no\"")
  }

  @Test func `a log keeps only the text of a large value`() throws {
    try run.pipe("p", "just \"\(String(repeating: "x", count: 1_000))\"")
    let entries = try #require(try run.member("p")).log.entries

    guard case .told(let text)? = entries.first?.event else {
      Issue.record("The value itself was kept.")
      return
    }
    #expect(try run.log(of: "p").first == "0.000s  p | values  \(text)")
  }
}
