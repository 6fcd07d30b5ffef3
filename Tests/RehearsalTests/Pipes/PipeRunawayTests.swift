import Staging
import Testing

@testable import Rehearsal
@testable import Script

/// Pipes that would run without end or exceed the memory.
@MainActor @Suite struct PipeRunawayTests {
  private let run = PipeRun()

  private static func stages(_ stage: String, times count: Int) -> String {
    String(repeating: " | " + stage, count: count)
  }

  @Test func `nested retries multiply, and no attempt begins inside another`() throws {
    let lines = try run.pipe("p", "load fail \"no\"" + Self.stages("retry 1", times: 12))

    #expect(lines == ["0.000s  p  failed: \"no\""])
    #expect(try run.fact("loads", of: "p") == "4096 begun, 4096 failed")
  }

  @Test func `a cancelled retry makes no more attempts`() throws {
    try run.pipe("p", "load fail \"no\" after 1s | retry 5")
    run.perform("wait 1500ms", "cancel p", "settle")

    #expect(try run.fact("loads", of: "p") == "2 begun, 1 failed, 1 cancelled")
  }

  @Test func `an interruption ends an endless pipe, and not a short one`() throws {
    run.stage.interrupt()
    #expect(
      try run.pipe("short", "values 1, 2 | last") == [
        "0.000s  short  2", "0.000s  short  finished",
      ]
    )

    run.stage.interrupt()
    let lines = run.perform("pipe p = fail \"no\" | retry 1000000")
    #expect(lines.first == "0.000s  p  failed: \"interrupted at 0s\"")
    #expect(lines.last == "error: interrupted at 0.000s")
  }

  @Test func `each command and each instant has its own limit`() throws {
    let most = 60_000
    run.perform("pipe a = fail \"no\" | retry \(most)", "pipe b = fail \"no\" | retry \(most)")

    #expect(run.lines.filter { $0.hasSuffix("failed: \"no\"") }.count == 2)
  }
}
