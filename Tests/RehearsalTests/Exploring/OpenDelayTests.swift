import Exploring
import Testing

@testable import Rehearsal

/// Delays that a script leaves open.
@Suite struct OpenDelayTests {
  /// Returns the times of all loaded states, over all runs.
  private func times(_ commands: [String]) throws -> Set<String> {
    let lines = try explored(commands).groups.flatMap(\.outcome.seen)
    return Set(
      lines.filter { $0.contains("→ loaded") }.compactMap {
        $0.split(separator: " ").first.map(String.init)
      }
    )
  }

  @Test func `all schedules have both ends of a range and one delay between them`() throws {
    let times = try times(["loadable a", "load a 1 after 100ms to 400ms", "settle"])

    #expect(times == ["0.100s", "0.250s", "0.400s"])
  }

  @Test func `a range of one millisecond meets a deadline inside it, and is never complete`() throws
  {
    let commands = ["loadable a", "load a 1 after 1ms to 2ms", "in 1400us cancel a", "settle"]

    #expect(try times(commands) == ["0.001s", "0.0012s", "0.0014s"])
    #expect(try explored(commands).end == .partial)
  }

  @Test func `the jitter of a millisecond is never complete`() throws {
    let findings = try explored([
      "loadable a", "load a 1 failing \"x\" times 1 retry 1 backoff 1ms jitter", "settle",
    ])

    #expect(findings.end == .partial)
    #expect(findings.leavesValuesOut)
  }

  @Test func `delays at the times of other events are tried`() throws {
    let times = try times([
      "loadable a", "in 300ms cancel a", "load a 1 after 100ms to 400ms", "settle",
    ])

    // 0.300s is reached only if the answer comes before the cancellation.
    #expect(times == ["0.100s", "0.200s", "0.300s"])
  }

  @Test func `delays at the times of later commands are tried`() throws {
    let times = try times([
      "loadable a", "load a 1 after 100ms to 400ms", "in 300ms cancel a", "settle",
    ])

    #expect(times == ["0.100s", "0.200s", "0.300s"])
  }

  @Test(arguments: [
    ("load a 1 after 1s to 2s", "   1.500s  a  loading #1 → loaded 1"),
    ("load a fail \"x\" after 1s to 2s", "   1.500s  a  loading #1 → error \"x\""),
    ("load a yielding 1 after 1s to 2s", "   1.500s  a  loading #1 → loaded 1, #1 continues"),
    (
      "load a yielding 1 then fail \"x\" after 1s to 2s",
      "   1.500s  a  loaded 1 → error \"x\", #1 failed"
    ),
    ("load a never interrupt after 1s to 2s", "   1.500s  a  #1 interrupted after 1.5s"),
    // The drawn value is the first choice.
    ("load a from /a", "   1.499s  a  loading #1 → loaded []"),
  ])
  func `a schedule has the number of steps of a delay`(load: String, line: String) {
    let lines = performed([
      "route /a 200 json [] after 1s to 2s", "loadable a", "schedule 1:500", load, "settle",
    ])

    #expect(lines.contains(line), "\(lines)")
  }

  @Test(arguments: [
    "load a from /a", "load a from /b",
    "load a 1 failing \"x\" times 2 retry 2 backoff 1s jitter",
  ])
  func `an unscheduled draw is the same in a session and in a search`(load: String) {
    let commands = [
      "loadable a", "route /a 200 json [] after 1s to 2s",
      "route /b 200 json [] after lognormal 1s sigma 2", "set seed 5", load, "settle",
    ]
    let searched = performed(["schedule 99:1"] + commands)

    #expect(searched.contains { $0.contains("→ loaded") })
    #expect(searched == performed(commands))
  }

  @Test func `a process and a pipe accept a range`() {
    let lines = performed([
      "process p", "input i", "schedule 1:500 2:250", "run p after 1s to 2s",
      "pipe q = i | flatMap (load \"x\" after 1s to 2s)", "enter i 1", "settle",
    ])

    #expect(lines.contains("   1.500s  p  running #1 → finished"), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("   1.250s  q") }, "\(lines)")
  }

  @Test func `each try of a load has its own delay`() {
    let lines = performed([
      "loadable a", "schedule 1:1000", "load a 1 after 1s to 2s failing \"x\" times 1 retry 1",
      "settle",
    ])

    #expect(lines.last == "   3.000s  a  loading #1 → loaded 1")
  }

  @Test func `a plain session takes the shorter delay, and routes draw from the seed`() {
    let load = performed(["loadable a", "load a 1 after 1s to 2s", "settle"])
    let drawn = performed([
      "route /a 200 json [] after 1s to 2s", "loadable a from /a", "load a", "settle",
    ])

    #expect(load.last == "   1.000s  a  loading #1 → loaded 1")
    #expect(drawn.last != "   1.000s  a  loading #1 → loaded []")
  }
}
