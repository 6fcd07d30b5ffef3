import Exploring
import Testing

@testable import Scenes

/// Bugs that exploration finds, and their twins without bugs.
@MainActor @Suite struct ZooTests {
  @Test(arguments: Zoo.all)
  func `no bug shows in the default schedule`(specimen: Specimen) {
    #expect(Exploration.replay(Schedule(), specimen.bug).failure == nil)
  }

  @Test(arguments: Zoo.all, [Strategy.random, .pct(changes: 2), .exhaustive])
  func `each bug is found, and its schedule reproduces it`(
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
  func `the exhaustive search finds each bug beside ten busy tasks`(specimen: Specimen) {
    let findings = Exploration.explore(.init(.exhaustive, seeds: 0..<1_000)) { run in
      for _ in 0..<10 {
        Task { for _ in 0..<10 { try await Task.sleep(for: .milliseconds(100)) } }
      }
      try await specimen.bug(run)
    }
    #expect(findings.failures.count == 1)
  }

  /// The number of schedules of each twin before hops were scheduling points. One had more than the
  /// limit.
  private static let schedulesWithoutHops = [
    "stale response wins": 5, "stale error wins": 3, "check, then act across an await": 8,
    "a re-entrant actor refreshes a token twice": 111, "cancelled work that writes": 15,
    "lost cancellation": 27, "retry storm": 4, "double submit": 4,
    "poisoned cache after a failed load": 10_001, "spinner that never ends": 23,
    "Bool activity under overlap": 6, "debounce that drops the last key": 301,
    "optimistic update rolled back over a newer one": 25, "pagination with a page twice": 6,
    "subscription dead after the first error": 9,
    "change missed between loading and subscribing": 3, "save overtaken by an older one": 9,
    "task that waits for itself": 3,
  ]

  @Test(arguments: Zoo.all)
  func `each twin holds under all schedules, at most twice as many as without hops`(
    specimen: Specimen
  ) throws {
    let findings = Exploration.explore(
      .init(.exhaustive, seeds: 0..<10_000),
      leavesNothing: true,
      specimen.twin
    )

    #expect(findings.end == .complete)
    #expect(findings.failures.isEmpty)
    #expect(findings.inconclusiveRuns == 0)
    #expect(findings.runs <= 2 * (try #require(Self.schedulesWithoutHops[specimen.name])))
  }

  @Test(arguments: Zoo.all)
  func `each twin holds under random schedules`(specimen: Specimen) {
    #expect(Exploration.explore(.init(seeds: 0..<1_000), specimen.twin).failures.isEmpty)
  }

  @Test func `there are many specimens`() {
    #expect(Set(Zoo.all.map(\.name)).count >= 14)
  }
}

extension Specimen: CustomTestStringConvertible {
  /// The specimen's name.
  public var testDescription: String { name }
}
