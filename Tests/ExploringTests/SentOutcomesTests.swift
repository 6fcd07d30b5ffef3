import Testing

@testable import Exploring

/// The outcomes of groups that a worker sends to its search.
@Suite struct SentOutcomesTests {
  @Test func `an outcome is sent again only for a run that deviates less`() {
    var (worker, search) = (SentOutcomes(), SentOutcomes())
    func group(_ choices: [Int], _ line: String) -> Findings.Group {
      let outcome = RunOutcome(seen: [line], counted: ["the same behaviour"])
      var findings = Findings(lost: outcome, choices: choices, isRandomised: true)
      worker.removeKnown(from: &findings, keeping: true)
      search.restore(&findings)
      return findings.groups[0]
    }

    let first = group([1, 1], "first")
    #expect(first.outcome.seen == ["first"])
    #expect(!first.needsReplay)

    let equal = group([1, 0, 1], "equal")
    #expect(equal.outcome.seen == ["first"])
    #expect(equal.needsReplay)

    let nearer = group([1], "nearer")
    #expect(nearer.outcome.seen == ["nearer"])
    #expect(!nearer.needsReplay)
  }
}
