import Exploring
import Testing

@testable import Rehearsal

/// Run assertions.
@Suite struct RunAssertionTests {
  private func host(_ commands: [String]) -> SessionHost {
    let host = SessionHost(files: MemoryFiles()) { _ in }
    for command in commands { host.perform(command) }
    return host
  }

  @Test func `each violation is identified by the text of its command`() {
    let host = host([
      "loadable a", "never a  error  ", "never a loading", "load a fail \"x\" after 1s",
    ])
    defer { host.end() }
    #expect(host.failures.map { $0.assertion?.text } == ["never a loading"])
    #expect(host.failures.first?.assertion?.actual.text == "violated at 0.000s: a is loading #1")

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
  func `a run assertion has the name that was typed`(command: String, text: String) {
    #expect(
      performed(["loadable a", command, "assertions"]).last?.hasPrefix("1  \(text)  ") == true
    )
  }

  @Test func `a run assertion is violated by a state that disappears immediately`() {
    let lines = performed(["loadable a", "never a loading", "load a 1"])

    #expect(
      lines == [
        "   0.000s  a  absent → loading #1",
        "error: 'never a loading' is violated at 0.000s: a is loading #1",
        "   0.000s  a  loading #1 → loaded 1",
      ]
    )
  }

  @Test func `a violation fails the command that runs at that time, and no other`() {
    let host = host(["loadable a", "never a error", "load a fail \"x\" after 1s"])
    defer { host.end() }
    let before = host.hasFailed
    host.perform("wait 1s")
    let during = host.hasFailed
    host.perform("wait 1s")

    #expect(!before && during && !host.hasFailed)
  }

  @Test func `a count of requests is violated if the log has dropped some`() {
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
        == "violated at 0.000s: 0 of the requests that are still kept match"
    )
  }

  @Test func `forgetting a member does not meet its eventually`() throws {
    let commands = ["loadable a", "eventually a loaded", "load a 1 or fail \"x\"", "forget a"]
    let failure = try #require(try explored(commands).failures.first)

    #expect(failure.rule == "run assertion 'eventually a loaded'")
    #expect(failure.schedule == Schedule([1]))
  }

  @Test func `an eventually is open until it is met or its time is over`() {
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
    (
      "999ms",
      "error: 'eventually a loaded within 999ms' is violated at 0.999s: the condition was never true"
    ),
  ])
  func `a state at the last instant is in time`(limit: String, error: String?) {
    let lines = performed([
      "loadable a", "eventually a loaded within \(limit)", "load a 1 after 1s", "wait 5s",
    ])

    #expect(lines.first { $0.hasPrefix("error") } == error)
  }

  @Test func `an expired deadline is reported before later events`() {
    let lines = performed([
      "loadable a", "eventually a loaded within 1s", "load a 1 after 2s", "settle",
    ])

    #expect(lines[1].hasPrefix("error: ") && lines[2] == "   2.000s  a  loading #1 → loaded 1")
  }

  @Test func `a count is checked at the end of an instant`() {
    let load = ["load a 1 after 1s", "load a 2 after 1s", "settle"]

    #expect(
      performed(["loadable a", "never a attempts 1"] + load).contains { $0.contains("violated at") }
    )
    #expect(
      performed(
        ["loadable a", "in 1s never a attempts 3", "in 1s load a 3", "in 1s load a 4"] + load
      )
      .contains { $0.contains("violated at") } == false
    )
    #expect(
      performed(["loadable a", "always a attempts at most 1"] + load)
        .contains("error: 'always a attempts at most 1' is violated at 0.000s: there are 2")
    )
  }

  @Test func `a run assertion that fails in some orders is a failure of a search`() throws {
    let findings = try explored([
      "loadable a", "load a 1 after 1s", "in 1s cancel a", "always a attempts 1",
      "eventually a loaded within 2s", "wait 3s",
    ])
    let failure = try #require(findings.failures.first)

    #expect(failure.schedule == Schedule([1]))
    #expect(failure.outcome.seen.last?.hasPrefix("error: 'eventually a loaded within 2s'") == true)
  }

  @Test func `undone commands are not checked, and redone commands are`() {
    let host = host(["loadable a", "never a error", "load a fail \"x\"", "undo"])
    defer { host.end() }
    #expect(host.failures.isEmpty)

    host.perform("redo")
    let assertions = performed([
      "loadable a", "never a error", "load a fail \"x\"", "undo", "redo", "assertions",
    ])
    #expect(assertions.last?.contains("violated at 0.000s") == true)
    host.perform("undo 2")
    host.perform("load a fail \"x\"")
    #expect(host.failures.isEmpty)
  }

  @Test func `a run assertion does not check a new member with the name of a forgotten one`() {
    let lines = performed([
      "loadable a", "never a error", "eventually a loaded", "wait 1s", "forget a", "loadable a",
      "load a fail \"x\"", "assertions",
    ])

    #expect(
      lines.suffix(2) == [
        "1  never a error  held until its member was forgotten at 1.000s",
        "2  eventually a loaded  violated at 1.000s: a was forgotten",
      ]
    )
  }

  @Test func `completion offers the run assertions of a member`() {
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
