#if os(Linux)
import Dispatch
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

  @Test(arguments: [2, 3, 4])
  func `three equal deadlines of a serial queue are named`(count: Int) {
    let findings = findings { _ in
      let queue = DispatchQueue(label: "serial")
      for _ in 0..<count { queue.asyncAfter(deadline: .now() + 1) {} }
      for number in 2..<9 { queue.asyncAfter(deadline: .now() + Double(number)) {} }
    }
    guard count > 2 else { return #expect(findings.end == .complete) }
    expect(
      findings,
      /the order of three or more blocks with one deadline: DispatchQueue\(label: "serial"\)\.asyncAfter in .*/
    )
  }

  @Test func `blocks of a concurrent queue with equal deadlines are tried in all orders`() {
    let findings = findings(.random, runs: 100) { run in
      for number in 0..<3 {
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) { run.note("\(number)") }
      }
    }
    #expect(findings.unvaried == [])
    #expect(findings.groups.count == 6)
  }
}
#endif
