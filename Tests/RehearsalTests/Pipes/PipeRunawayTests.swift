import Staging
import Testing

@testable import Rehearsal
@testable import Script

/// Pipes that try, or make, more than there is room or time for.
@MainActor @Suite struct PipeRunawayTests {
  private let run = PipeRun()

  private static func stages(_ stage: String, times count: Int) -> String {
    String(repeating: " | " + stage, count: count)
  }

  @Test func `retries of retries multiply, and no attempt begins within another`() throws {
    let lines = try run.pipe("p", "load fail \"no\"" + Self.stages("retry 1", times: 12))

    #expect(lines == ["0.000s  p  failed: \"no\""])
    #expect(try run.fact("loads", of: "p") == "4096 begun, 4096 failed")
  }

  @Test func `a retry that is cancelled tries no more`() throws {
    try run.pipe("p", "load fail \"no\" after 1s | retry 5")
    run.perform("wait 1500ms", "cancel p", "settle")

    #expect(try run.fact("loads", of: "p") == "2 begun, 1 failed, 1 cancelled")
  }
}
