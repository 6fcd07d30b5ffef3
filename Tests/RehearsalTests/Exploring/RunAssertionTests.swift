import Exploring
import Testing

@testable import Rehearsal

/// What judges the whole run.
@Suite struct RunAssertionTests {
  private func host(_ commands: [String]) -> SessionHost {
    let host = SessionHost(files: MemoryFiles()) { _ in }
    for command in commands { host.perform(command) }
    return host
  }

  @Test func `what was broken is known by its command, and each for itself`() {
    let host = host([
      "loadable a", "never a  error  ", "never a loading", "load a fail \"x\" after 1s",
    ])
    defer { host.end() }
    #expect(host.failures.map { $0.assertion?.text } == ["never a loading"])
    #expect(host.failures.first?.assertion?.actual.text == "broken at 0.000s: a is loading #1")

    host.perform("in 1s expect a loaded")
    host.perform("settle")
    #expect(host.failures.map { $0.assertion?.text } == ["never a  error", nil])
    #expect(host.failures.last?.laterCommand == "expect a loaded")
  }

  @Test(arguments: [
    ("never a  error  # why", "never a  error"), (" always a absent", "always a absent"),
    ("in 0s never requests 1 # why", "never requests 1"),
    ("eventually a loaded 1 within 5s ", "eventually a loaded 1 within 5s"),
  ])
  func `a judge is called by its command, as it was typed`(command: String, text: String) {
    #expect(performed(["loadable a", command, "judges"]).last?.hasPrefix("1  \(text)  ") == true)
  }

  @Test func `a judge is broken by a state that is gone at once`() {
    let lines = performed(["loadable a", "never a loading", "load a 1"])

    #expect(
      lines == [
        "   0.000s  a  absent → loading #1",
        "error: 'never a loading' is broken at 0.000s: a is loading #1",
        "   0.000s  a  loading #1 → loaded 1",
      ]
    )
  }

  @Test func `the command fails during which a judge is broken, and only that one`() {
    let host = host(["loadable a", "never a error", "load a fail \"x\" after 1s"])
    defer { host.end() }
    let before = host.hasFailed
    host.perform("wait 1s")
    let during = host.hasFailed
    host.perform("wait 1s")

    #expect(!before && during && !host.hasFailed)
  }

  @Test func `a count of requests is broken if the log has dropped some`() {
    let host = host([
      "route GET /a 503", "loadable a from /a", "never requests GET /b 1",
      "always requests at most 20000",
    ])
    defer { host.end() }
    for _ in 1...10 { host.perform("load a retry 999") }
    #expect(host.failures.isEmpty)

    host.perform("load a")
    #expect(host.failures.map { $0.assertion?.text } == ["never requests GET /b 1"])
    #expect(
      host.failures.first?.assertion?.actual.text
        == "broken at 0.000s: of the requests that are still kept, it counts 0"
    )
  }

  @Test func `forgetting a member does not meet its eventually`() throws {
    let commands = ["loadable a", "eventually a loaded", "load a 1 or fail \"x\"", "forget a"]
    let failure = try #require(try explored(commands).failures.first)

    #expect(failure.rule == "judge 'eventually a loaded'")
    #expect(failure.schedule == Schedule([1]))
  }

  @Test func `what is to come is undecided until it comes or its time is over`() {
    let host = host([
      "loadable a", "eventually a loaded within 2s", "eventually a error", "load a 1 after 1s",
    ])
    defer { host.end() }

    #expect(
      host.openAssertions.map(\.text) == ["eventually a loaded within 2s", "eventually a error"]
    )
    host.perform("wait 1s")
    #expect(host.openAssertions.map(\.text) == ["eventually a error"])
    #expect(host.failures.isEmpty)
  }

  @Test(arguments: [
    ("2s", nil), ("1s", nil),
    ("999ms", "error: 'eventually a loaded within 999ms' is broken at 0.999s: it was never so"),
  ])
  func `what comes at the last instant comes in time`(limit: String, error: String?) {
    let lines = performed([
      "loadable a", "eventually a loaded within \(limit)", "load a 1 after 1s", "wait 5s",
    ])

    #expect(lines.first { $0.hasPrefix("error") } == error)
  }

  @Test func `time that is over is told before what happened later`() {
    let lines = performed([
      "loadable a", "eventually a loaded within 1s", "load a 1 after 2s", "settle",
    ])

    #expect(lines[1].hasPrefix("error: ") && lines[2] == "   2.000s  a  loading #1 → loaded 1")
  }

  @Test func `a count is judged when all of an instant is done`() {
    let load = ["load a 1 after 1s", "load a 2 after 1s", "settle"]

    #expect(
      performed(["loadable a", "never a attempts 1"] + load).contains { $0.contains("broken at") }
    )
    #expect(
      performed(
        ["loadable a", "in 1s never a attempts 3", "in 1s load a 3", "in 1s load a 4"] + load
      )
      .contains { $0.contains("broken at") } == false
    )
    #expect(
      performed(["loadable a", "always a attempts at most 1"] + load)
        .contains("error: 'always a attempts at most 1' is broken at 0.000s: there are 2")
    )
  }

  @Test func `a judge that holds in some orders only is a failure of a search`() throws {
    let findings = try explored([
      "loadable a", "load a 1 after 1s", "in 1s cancel a", "always a attempts 1",
      "eventually a loaded within 2s", "wait 3s",
    ])
    let failure = try #require(findings.failures.first)

    #expect(failure.schedule == Schedule([1]))
    #expect(failure.outcome.seen.last?.hasPrefix("error: 'eventually a loaded within 2s'") == true)
  }

  @Test func `what is undone is not judged, and what is done again is`() {
    let host = host(["loadable a", "never a error", "load a fail \"x\"", "undo"])
    defer { host.end() }
    #expect(host.failures.isEmpty)

    host.perform("redo")
    let judges = performed([
      "loadable a", "never a error", "load a fail \"x\"", "undo", "redo", "judges",
    ])
    #expect(judges.last?.contains("broken at 0.000s") == true)
    host.perform("undo 2")
    host.perform("load a fail \"x\"")
    #expect(host.failures.isEmpty)
  }

  @Test func `a judge is not asked about a member that is gone, or of another one of that name`() {
    let lines = performed([
      "loadable a", "never a error", "eventually a loaded", "wait 1s", "forget a", "loadable a",
      "load a fail \"x\"", "judges",
    ])

    #expect(
      lines.suffix(2) == [
        "1  never a error  held until its member was forgotten at 1.000s",
        "2  eventually a loaded  broken at 1.000s: a was forgotten",
      ]
    )
  }

  @Test func `completion offers what a judge can say of a member`() {
    let host = host(["loadable a", "process p"])
    defer { host.end() }
    let candidates = { (text: String) in host.completion(of: text).candidates.map(\.text) }

    #expect(candidates("never ") == ["requests", "a", "p"])
    #expect(candidates("never p ") == ["attempts", "idle", "running", "failed", "finished"])
    #expect(candidates("eventually a loaded ").contains("within"))
    #expect(candidates("always a attempts ") == ["at"])
    #expect(candidates("always a attempts at ") == ["most"])
  }
}
