#if os(Linux)
import Exploring
import Staging
import Testing

/// What no schedule varies is named, and a search with it is never complete.
@MainActor @Suite struct UnvariedTests {
  private func findings(
    _ strategy: Strategy = .exhaustive,
    runs: UInt64 = 10_000,
    _ scenario: @escaping @MainActor (ExploredRun) async throws -> Void
  ) -> Findings {
    Exploration.explore(.init(strategy, seeds: 0..<runs), scenario)
  }

  private func expect(
    _ findings: Findings,
    _ text: Regex<Substring>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let unvaried = findings.unvaried
    #expect(findings.end == .partial, sourceLocation: sourceLocation)
    #expect(unvaried.count == 1, "\(unvaried)", sourceLocation: sourceLocation)
    #expect(
      unvaried.first?.wholeMatch(of: text) != nil,
      "\(unvaried)",
      sourceLocation: sourceLocation
    )
  }

  @Test func `the jobs of another stage are named`() {
    let findings = findings { _ in
      try Stage().run {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<2 { group.addTask { await Task.yield() } }
        }
      }
    }
    expect(
      findings,
      /the order of the jobs of another stage in closure in .* at UnvariedTests\.swift:\d+/
    )
  }
}
#endif
