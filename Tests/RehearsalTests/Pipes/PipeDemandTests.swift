import RehearsalBase
import Testing

@testable import Rehearsal
@testable import Script

/// What happens to values for which there is no demand, and timers, which do not wait for any.
@MainActor @Suite struct PipeDemandTests {
  private let run = PipeRun()

  /// Returns the lines of a pipe's log with what was dropped.
  private func dropped(in name: String) throws -> [String] {
    try run.log(of: name).filter { $0.contains("dropped ") }
  }

  @Test(arguments: [
    "", " | debounce 1ms", " | throttle 1ms", " | share", " | combineLatest (just 0)",
  ])
  func `the log has each value for which flatMap has no demand`(stage: String) throws {
    run.input("query")
    try run.pipe("p", "query\(stage) | flatMap max 1 load 0 after 1s")
    for value in ["1", "2"] {
      try run.enter("query", .number(value))
      run.perform("wait 10ms")
    }

    let lines = try dropped(in: "p")
    #expect(lines.count == 1)
    #expect(lines.first?.hasSuffix(": 'flatMap max 1' has no demand") == true)
  }

  @Test(arguments: [
    "values 1, 2, 3", "just 1 | append 2, 3", "(values 1, 2, 3 | delay 1s)", "s",
  ])
  func `nothing is dropped if the source can wait`(source: String) throws {
    try run.pipe("s", "values 1, 2, 3", isSubscribed: false)
    try run.pipe("p", source + " | flatMap max 1 load \"{value}\" after 1s")
    run.perform("settle")

    #expect(try run.fact("values", of: "p") == "3")
    #expect(try dropped(in: "p") == [])
  }

  @Test func `an input with a value keeps the latest one, and the log has the one before`() throws {
    run.input("query", .number("0"))
    try run.pipe("p", "query | flatMap max 1 load \"{value}\" after 1s")
    try run.enter("query", .number("1"))
    try run.enter("query", .number("2"))

    #expect(run.perform("settle") == ["1.000s  p  0", "2.000s  p  2"])
    #expect(
      try dropped(in: "p") == ["0.000s  p | query  dropped 1: 'flatMap max 1' has no demand"]
    )
  }

  @Test func `the end of an input loses the value that it keeps, and the log has it`() throws {
    run.input("query", .number("0"))
    try run.pipe("p", "query | flatMap max 1 load \"{value}\" after 1s")
    try run.enter("query", .number("1"))
    run.perform("set query finished")

    #expect(run.perform("settle") == ["1.000s  p  0", "1.000s  p  finished"])
    #expect(try dropped(in: "p").count == 1)
  }

  // MARK: Buffers

  @Test(arguments: [
    ("buffer 1", "dropped 2: the buffer is full", "1 3"),
    ("buffer 1 dropNewest", "dropped 3: the buffer is full", "1 2"),
    (#"buffer 1 fail "full""#, "dropped 3: the buffer is full", #"1 failed: "full""#),
    ("buffer 1 keepFull", "dropped 3: 'buffer 1 keepFull' has no demand", "1 2"),
  ])
  func `a full buffer drops a value or fails, and the log has the value`(
    stage: String,
    loss: String,
    values: String
  ) throws {
    run.input("query")
    try run.pipe("p", "query | \(stage) | flatMap max 1 load \"{value}\" after 1s")
    for value in ["1", "2", "3"] { try run.enter("query", .number(value)) }

    let lines = run.perform("settle").map { $0.split(separator: "  ").dropFirst(2).joined() }
    #expect(lines.joined(separator: " ") == values)
    let dropped = try dropped(in: "p")
    #expect(dropped.count == 1)
    #expect(dropped.first?.hasSuffix(loss) == true)
  }

  @Test(arguments: [("failed \"no\"", "0"), ("finished", "2")])
  func `a buffer keeps its values after the end of its source, but not after an error`(
    end: String,
    count: String
  ) throws {
    run.input("query")
    try run.pipe("p", "query | buffer 5 | flatMap max 1 load \"{value}\" after 1s")
    try run.enter("query", .number("1"))
    try run.enter("query", .number("2"))
    run.perform("set query " + end, "settle")

    #expect(try run.fact("values", of: "p") == count)
  }

  @Test func `a cancelled buffer cancels its source`() throws {
    let input = run.input("query")
    try run.pipe("p", "query | buffer 1 | flatMap max 1 load 1 after 1s")
    run.perform("cancel p")

    #expect(input.facts.last?.value == "0")
  }

  // MARK: Timers

  @Test func `a timer stops when its pipe is cancelled or forgotten`() throws {
    try run.pipe("p", "timer 1s")
    try run.pipe("q", "timer 1s")
    run.perform("wait 1s", "cancel p", "forget q")

    #expect(run.perform("settle") == [])
    #expect(run.stage.pending.sleeperCount == 0)
  }

  @Test func `each inner pipe has a timer of its own`() throws {
    run.input("query")
    try run.pipe("p", "query | flatMap (timer 1s | prefix 1)")
    try run.enter("query", .null)
    run.perform("wait 500ms")
    try run.enter("query", .null)

    #expect(run.perform("settle") == ["1.000s  p  1", "1.500s  p  1"])
  }
}
