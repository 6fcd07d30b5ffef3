import Exploring
import Harness
import Testing

@testable import Rehearsal

/// Moments that a script leaves open.
@Suite struct OpenMomentTests {
  @Test func `a search finds the moment at which a command causes a failure`() throws {
    let findings = try explored([
      "loadable a", "load a 1 after 1500ms", "between 1s and 2s cancel a", "settle",
      "expect a absent",
    ])
    let failure = try #require(findings.failures.first)

    #expect(failure.outcome.seen.contains("   1.500s  a  loading #1 → loaded 1"))
  }

  @Test func `a moment is tried at which the effects of its command meet another event`() throws {
    let findings = try explored([
      "loadable a", "between 0s and 1s load a 1 after 1s", "at 1300ms cancel a", "settle",
    ])
    let ends = Set(findings.groups.compactMap(\.outcome.seen.last))

    #expect(findings.end == .partial)
    #expect(ends.contains("   1.300s  a  #1 answered 1; too late, dropped"))
    #expect(findings.runs < 20)
  }

  @Test(arguments: [
    ("between 1s and 2s cancel a", "   1.250s  a  loading #1 → absent, #1 cancelled"),
    ("in 2s to 3s cancel a", "   2.250s  a  loading #1 → absent, #1 cancelled"),
  ])
  func `a schedule has the number of steps of a moment`(command: String, line: String) {
    let lines = performed([
      "loadable a", "load a never", "schedule 1:250", command, "settle",
    ])

    #expect(lines.last == line)
  }

  @Test func `the steps of a moment do not depend on the time of the command`() {
    let lines = performed([
      "loadable a", "load a never", "wait 123456us", "schedule 1:250", "between 1s and 2s cancel a",
      "settle",
    ])

    #expect(lines.last == "   1.250s  a  loading #1 → absent, #1 cancelled")
  }

  @Test(arguments: [
    ("between 1s and 3s now", "error: 1s is in the past: it is 2.000s now"),
    ("between 5s and 3s now", "error: '5s and 3s' ends before it begins"),
    ("between 3s now", "error: expected 'and', but found 'now'"),
    ("between 3s and", "error: expected a duration, but the command ends here"),
    ("between 3s and 4s wait 1s", "error: 'wait' cannot be used in 'between'"),
  ])
  func `an invalid range of moments is refused`(command: String, error: String) {
    #expect(performed(["wait 2s", command]).first == error)
  }

  @Test func `a script that chooses an order is refused at that line`() {
    let commands = ["loadable a", "source tie.rehearse", "settle"]
    let text = "> now\n-- tie.rehearse --\nschedule 1:1\n"
    let transcript = Transcript(path: "a.transcript", bytes: Array(text.utf8))
    nonisolated(unsafe) var lines: [String] = []  // Only this thread performs commands.
    let host = SessionHost(files: MemoryFiles(fixtures: transcript.fixtures)) { lines.append($0) }
    host.decide(by: ReplayScheduler(Schedule()))
    for command in commands { host.perform(command) }
    host.end()

    #expect(
      lines.first == "tie.rehearse:1: error: the search chooses the order of jobs",
      "\(lines)"
    )
  }
}
