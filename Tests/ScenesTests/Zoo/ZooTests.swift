import Exploring
import Testing

@testable import Scenes

/// Bugs that exploration finds, and their twins, which have none.
@MainActor @Suite struct ZooTests {
  @Test(arguments: Zoo.all)
  func `no bug shows in the plain run`(specimen: Specimen) {
    #expect(Exploration.replay(Schedule(), specimen.bug).failure == nil)
  }

  @Test(arguments: Zoo.all, [Strategy.random, .priorities(changes: 2), .exhaustive])
  func `each bug is found, and its schedule shows it again`(
    specimen: Specimen,
    strategy: Strategy
  ) throws {
    let runs: UInt64 = strategy == .exhaustive ? 10_000 : 1_000
    let findings = Exploration.explore(.init(strategy, seeds: 0..<runs), specimen.bug)
    let failure = try #require(findings.failures.first)

    #expect(failure.schedule.deviations <= 2)
    #expect(Exploration.replay(failure.schedule, specimen.bug) == failure.outcome)
  }

  @Test(arguments: Zoo.all)
  func `each twin holds under all schedules, and leaves nothing behind`(specimen: Specimen) {
    let findings = Exploration.explore(
      .init(.exhaustive, seeds: 0..<10_000),
      leavesNothing: true,
      specimen.twin
    )

    #expect(findings.end == .complete)
    #expect(findings.failures.isEmpty)
    #expect(findings.cuts == 0)
  }

  @Test(arguments: Zoo.all)
  func `each twin holds by chance`(specimen: Specimen) {
    #expect(Exploration.explore(.init(seeds: 0..<1_000), specimen.twin).failures.isEmpty)
  }

  @Test func `there are many kinds`() {
    #expect(Set(Zoo.all.map(\.name)).count >= 14)
  }
}

extension Specimen: CustomTestStringConvertible {
  /// Its name.
  public var testDescription: String { name }
}
