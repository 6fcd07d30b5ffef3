import Exploring
import PublicBugs
import Scenes
import Staging
import Testing

/// Bugs from public sources, and their repaired twins.
@MainActor @Suite struct PublicBugsTests {
  private func explore(
    _ strategy: Strategy?,
    most: UInt64,
    _ body: @escaping Specimen.Scenario
  ) -> Findings {
    let scenario = Scenario(limit: 10_000, leavesNothing: true, preempting: nil, body: body)
    let plan = Exploration.Plan(strategy ?? .mixed(changes: 3), seeds: 0..<most)
    let exploration = Exploration(plan) { scheduler in
      assumingMainActor { scenario.play(scheduler) }
    }
    return exploration.run(orAll: strategy == nil)
  }

  @Test(arguments: PublicBugs.all)
  func `no bug shows in the default schedule`(bug: Specimen) {
    #expect(Exploration.replay(Schedule(), bug.bug).failure == nil)
  }

  @Test(arguments: PublicBugs.all)
  func `the default strategy finds each bug, and its schedule repeats the failure`(bug: Specimen)
    throws
  {
    let failure = try #require(explore(nil, most: 10_000, bug.bug).failures.first)
    #expect(Exploration.replay(failure.schedule, leavesNothing: true, bug.bug) == failure.outcome)
  }

  @Test(
    arguments: PublicBugs.all,
    [nil, .random, .pct(changes: 2), .pos, .surw, .exhaustive] as [Strategy?]
  )
  func `each twin holds under every schedule that is tried`(bug: Specimen, strategy: Strategy?) {
    let findings = explore(strategy, most: strategy == .exhaustive ? 2_000 : 200, bug.twin)
    #expect(findings.failures.isEmpty)
    #expect(findings.inconclusiveRuns == 0)
  }
}
