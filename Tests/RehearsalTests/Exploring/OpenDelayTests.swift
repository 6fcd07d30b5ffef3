import Exploring
import Script
import Testing

@testable import Rehearsal

/// Delays that a script leaves open.
@Suite struct OpenDelayTests {
  /// The times at which something is loaded, over all runs.
  private func times(_ commands: [String]) throws -> Set<String> {
    let lines = try explored(commands).groups.flatMap(\.outcome.seen)
    return Set(
      lines.filter { $0.contains("→ loaded") }.compactMap {
        $0.split(separator: " ").first.map(String.init)
      }
    )
  }

  @Test func `all schedules have the ends of a range and one delay between them`() throws {
    let times = try times(["loadable a", "load a 1 after 100ms to 400ms", "settle"])

    #expect(times == ["0.100s", "0.250s", "0.400s"])
  }

  @Test func `what else is due within a range is tried as well`() throws {
    let times = try times([
      "loadable a", "in 300ms cancel a", "load a 1 after 100ms to 400ms", "settle",
    ])

    // At 0.300s only where the answer comes before the cancellation.
    #expect(times == ["0.100s", "0.200s", "0.300s"])
  }

  @Test func `what is due within a range is tried also where it is said later`() throws {
    let times = try times([
      "loadable a", "load a 1 after 100ms to 400ms", "in 300ms cancel a", "settle",
    ])

    #expect(times == ["0.100s", "0.200s", "0.300s"])
  }

  @Test(arguments: [
    ("load a 1 after 1s to 2s", "   1.500s  a  loading #1 → loaded 1"),
    ("load a fail \"x\" after 1s to 2s", "   1.500s  a  loading #1 → error \"x\""),
    ("load a yielding 1 after 1s to 2s", "   1.500s  a  loading #1 → loaded 1, #1 goes on"),
    (
      "load a yielding 1 then fail \"x\" after 1s to 2s",
      "   1.500s  a  loaded 1 → error \"x\", #1 failed"
    ),
    ("load a never interrupt after 1s to 2s", "   1.500s  a  #1 interrupted after 1.5s"),
    // Of what is drawn the first choice is that.
    ("load a from /a", "   1.499s  a  loading #1 → loaded []"),
  ])
  func `a schedule says how many steps a delay is longer`(load: String, line: String) {
    let lines = performed([
      "route /a 200 json [] after 1s to 2s", "loadable a", "schedule 1:500", load, "settle",
    ])

    #expect(lines.contains(line), "\(lines)")
  }

  @Test(arguments: [
    "load a from /a", "load a from /b",
    "load a 1 failing \"x\" times 2 retry 2 backoff 1s jitter",
  ])
  func `where nobody decides otherwise, what is drawn in a session is in a search`(load: String) {
    let commands = [
      "loadable a", "route /a 200 json [] after 1s to 2s",
      "route /b 200 json [] after lognormal 1s sigma 2", "set seed 5", load, "settle",
    ]
    let searched = performed(["schedule 99:1"] + commands)

    #expect(searched.contains { $0.contains("→ loaded") })
    #expect(searched == performed(commands))
  }

  @Test func `a process and a pipe take a range as well`() {
    let lines = performed([
      "process p", "input i", "schedule 1:500 2:250", "run p after 1s to 2s",
      "pipe q = i | flatMap (load \"x\" after 1s to 2s)", "enter i 1", "settle",
    ])

    #expect(lines.contains("   1.500s  p  running #1 → finished"), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("   1.250s  q") }, "\(lines)")
  }

  @Test func `each try of a load takes as long as is decided for it`() {
    let lines = performed([
      "loadable a", "schedule 1:1000", "load a 1 after 1s to 2s failing \"x\" times 1 retry 1",
      "settle",
    ])

    #expect(lines.last == "   3.000s  a  loading #1 → loaded 1")
  }

  @Test func `a plain session takes the shorter delay, and routes what the seed says`() {
    let load = performed(["loadable a", "load a 1 after 1s to 2s", "settle"])
    let drawn = performed([
      "route /a 200 json [] after 1s to 2s", "loadable a from /a", "load a", "settle",
    ])

    #expect(load.last == "   1.000s  a  loading #1 → loaded 1")
    #expect(drawn.last != "   1.000s  a  loading #1 → loaded []")
  }

  // MARK: Steps

  @Test(arguments: [
    (100, 400, 301), (100, 101, 2), (0, 0, 1),
  ])
  func `whole milliseconds are a millisecond apart`(first: Int, last: Int, count: Int) {
    let steps = DurationSteps(.milliseconds(first) ... .milliseconds(last))

    #expect(steps.count == count)
    #expect(steps[0] == .milliseconds(first) && steps[count - 1] == .milliseconds(last))
  }

  @Test func `steps are as fine as the ends`() {
    #expect(DurationSteps(.microseconds(500) ... .milliseconds(1)).count == 501)
    #expect(DurationSteps(.nanoseconds(999_999) ... .milliseconds(1)).count == 2)
  }

  @Test func `a range of a century has no more steps than a schedule can say`() {
    let century = Duration.seconds(100 * 365 * 86_400)
    let steps = DurationSteps(.nanoseconds(1)...century)

    #expect(steps.count <= Schedule.mostChoices)
    #expect(steps[steps.count - 1] == century)
  }

  @Test func `steps are whole wherever the ends lie`() {
    let steps = DurationSteps(.nanoseconds(1) ... .seconds(3 * 3_600))
    let places = steps.places(of: [.seconds(1)])

    #expect(places.map { steps[$0] } == [.seconds(1)])
    #expect(steps[0] == .nanoseconds(1))
    #expect(steps[steps.count - 1] == .seconds(3 * 3_600))
    #expect(
      steps.places(of: [steps[0], steps[1], steps[steps.count - 1]]) == [0, 1, steps.count - 1]
    )
    let odd = DurationSteps(.microseconds(1_500) ... .nanoseconds(3_000_001), most: 10)
    #expect(
      (0..<odd.count).map { odd[$0] } == [
        .microseconds(1_500), .milliseconds(2), .milliseconds(3), .nanoseconds(3_000_001),
      ]
    )
  }

  @Test func `what lies between two steps is met from both sides`() {
    let steps = DurationSteps(.milliseconds(100) ... .milliseconds(400))
    let places = steps.places(of: [
      .milliseconds(50), .milliseconds(100), .microseconds(150_500), .milliseconds(151),
      .milliseconds(400), .milliseconds(401),
    ])

    #expect(places == [0, 50, 51, 300])
  }
}
