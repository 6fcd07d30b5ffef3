import Exploring
import RehearsalBase
import Testing

@testable import Rehearsal

/// The report of a search with more behaviours than it can remember.
@MainActor @Suite struct ManyBehavioursTests {
  /// Findings of runs that each show a new behaviour.
  private func findings(rememberingAtMost most: Int) -> Findings {
    var findings = Findings()
    findings.hashes = HashSample(atMost: most)
    findings.others = UnkeptBehaviours(atMost: most)
    for number in 1...Findings.mostGroups + 500 {
      let outcome = RunOutcome(seen: ["\(number)"])
      findings.append(Findings(lost: outcome, choices: [number], isRandomised: true))
    }
    return findings
  }

  private func lines(_ findings: Findings) throws -> [String] {
    let file = try #require(Playable(path: "a.rehearse", bytes: Array("loadable a\n".utf8)))
    let wording = ExplorationWording(name: "a.rehearse", width: 80, words: .ofProgram)
    return ExplorationText(try ExploredScript(file, scenes: []), findings, wording).lines([])
      .map(\.text)
  }

  @Test func `numbers of schedules and behaviours are exact, or about right and marked so`() throws
  {
    let exact = try lines(findings(rememberingAtMost: 20_000))
    let sampled = try lines(findings(rememberingAtMost: 400))

    #expect(
      exact.first == "10500 runs of a.rehearse, 10500 distinct schedules: 10500 behaviours"
    )
    #expect(exact.contains("500 more behaviours in 500 runs are counted, but not kept"))
    let summary = try #require(
      sampled.first?.wholeMatch(
        of:
          /10500 runs of a.rehearse, about ([0-9]+)00 distinct schedules: about ([0-9]+)00 behaviours/
      )
    )
    #expect(abs((Int(summary.1) ?? 0) - 105) < 16)
    #expect((104...106).contains(Int(summary.2) ?? 0))
    #expect(
      sampled.contains {
        $0.hasPrefix("about ")
          && $0.hasSuffix(" more behaviours in 500 runs are counted, but not kept")
      }
    )
  }

  @Test func `a note says that limits of new behaviours have no effect`() {
    let exact = findings(rememberingAtMost: 20_000)
    let sampled = findings(rememberingAtMost: 400)
    let reason = "has no effect, because there are too many behaviours to recognise new ones"

    #expect(ExplorationText.limits(of: sampled, until: nil, stopAfter: nil).isEmpty)
    #expect(ExplorationText.limits(of: exact, until: nil, stopAfter: 10).isEmpty)
    #expect(
      ExplorationText.limits(of: sampled, until: 0.01, stopAfter: 10) == [
        "the limit of runs without a new behaviour \(reason)",
        "the limit of 1 % for a new behaviour \(reason)",
      ]
    )
    #expect(
      ExplorationText.limits(of: exact, until: 0.01, stopAfter: 10) == [
        "the limit of 1 % for a new behaviour was not reached; more runs may reach it"
      ]
    )
  }
}
