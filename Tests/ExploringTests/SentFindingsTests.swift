import Testing
import Workers

@testable import Exploring

/// Findings in the form in which a worker sends them.
@Suite struct SentFindingsTests {
  private func sent(_ findings: Findings) throws -> Findings {
    let bytes = MessageCoding.encode(SentFindings(findings))
    return try MessageCoding.decode(SentFindings.self, from: bytes[...]).findings
  }

  private static let outcomes = [
    RunOutcome(seen: []),
    RunOutcome(seen: ["", "é 👍\n"]),
    RunOutcome(seen: ["a", "b"], counted: ["a"]),
    RunOutcome(seen: ["a"], counted: ["b"]),
    RunOutcome(seen: ["a"], failure: Violation(.returns, .text("it did not"))),
    RunOutcome(seen: [], inconclusive: "it was stopped"),
  ]

  @Test(arguments: [[], [0, 3, 1], [254, 255, 256], [Int.max - 1, 7]])
  func `all outcomes arrive with their schedules`(choices: [Int]) throws {
    var findings = Findings()
    for outcome in Self.outcomes {
      findings.append(Findings(lost: outcome, choices: choices, isRandomised: true))
    }
    // It belongs to a known group.
    findings.append(Findings(lost: Self.outcomes[1], choices: [1], isRandomised: false))
    let received = try sent(findings)

    #expect(received.groups.count == Self.outcomes.count)
    #expect(received.groups.map(\.outcome) == findings.groups.map(\.outcome))
    #expect(received.groups.map(\.schedule) == findings.groups.map(\.schedule))
    #expect(received.groups.map(\.count) == findings.groups.map(\.count))
    #expect(received.groups.map(\.first) == findings.groups.map(\.first))
    #expect(received.groups.map(\.nearest) == findings.groups.map(\.nearest))
    #expect(received.groups.map(\.sample) == findings.groups.map(\.sample))
    #expect(received.groups.map(\.fingerprint) == findings.groups.map(\.fingerprint))
    #expect(received.runs == findings.runs)
    #expect(received.violatedChecks.count == 1)
  }

  @Test func `later findings can be appended to received ones`() throws {
    let first = Findings(lost: Self.outcomes[1], choices: [1], isRandomised: true)
    var received = try sent(first)
    received.append(first)

    #expect(received.groups.map(\.count) == [2])
  }

  @Test func `the time at the end of a run arrives`() throws {
    var outcome = Self.outcomes[1]
    outcome.end = .seconds(3)
    let received = try sent(Findings(lost: outcome, choices: [], isRandomised: false))

    #expect(received.groups[0].outcome == outcome)
  }
}
