import Testing

@testable import Exploring

/// Searches that choose the operations of a scenario.
@MainActor @Suite struct GeneratedOperationTests {
  private final class Cache {
    private(set) var value = 0
    private(set) var newest = 0

    /// The answer of an earlier call may come last.
    func load(_ number: Int, taking time: Duration) async throws {
      newest = number
      try await Task.sleep(for: time)
      value = number
    }
  }

  private func explored(
    _ runs: UInt64,
    _ scenario: @escaping @MainActor (ExploredRun) async throws -> Void
  ) -> Findings {
    Exploration.explore(.init(.random, seeds: 0..<runs), scenario)
  }

  @Test func `an order of operations that fails is found and shortened`() throws {
    let findings = explored(2_000) { run in
      let cache = Cache()
      try await run.generate([
        GeneratedOperation("slow") { try await cache.load(1, taking: .seconds(3)) },
        GeneratedOperation("fast") { try await cache.load(2, taking: .seconds(1)) },
        GeneratedOperation("nothing") {},
      ])
      run.check(cache.value == cache.newest, "the newest load wins")
    }

    let failure = try #require(findings.failures.first)
    #expect(failure.rule == "the newest load wins")
    #expect(failure.outcome.seen == ["slow", "fast"])
  }

  @Test func `the default schedule performs no operation`() {
    let findings = explored(0) { run in
      try await run.generate([GeneratedOperation("a") { Issue.record("It was performed.") }])
    }

    #expect(findings.groups.map(\.outcome.seen) == [[]])
  }

  @Test func `numbers, conditions and weights of operations hold`() {
    var counts = (often: 0, rare: 0)
    let findings = explored(200) { run in
      var isOpen = false
      try await run.generate([
        GeneratedOperation("open", atMost: 1) { isOpen = true },
        GeneratedOperation("often", often: 8, when: { isOpen }) {
          #expect(isOpen)
          counts.often += 1
        },
        GeneratedOperation("rare", when: { isOpen }) { counts.rare += 1 },
      ])
      run.check(run.seen.count { $0 == "open" } <= 1, "it opens once")
    }

    #expect(findings.failures.isEmpty)
    #expect(counts.rare > 0)
    #expect(counts.often > 3 * counts.rare)
  }

  @Test func `an operation that no run performs is named`() {
    let findings = explored(50) { run in
      try await run.generate([
        GeneratedOperation("a") {}, GeneratedOperation("b", when: { false }) {},
      ])
    }

    #expect(findings.openChoices.unasked.map(\.text) == ["the operation 'b'; check its condition"])
  }

  @Test func `a run that can generate nothing fails, and says why`() {
    let none = explored(10) { run in try await run.generate([]) }
    #expect(none.failures.first?.check == .throwsNothing)
    #expect(
      none.failures.first?.outcome.failure?.what.contains(
        "there is no operation; return at least one"
      ) == true
    )

    let few = explored(10) { run in try await run.generate([GeneratedOperation("a") {}], atMost: 0)
    }
    #expect(
      few.failures.first?.outcome.failure?.what.contains("of operations is 0; pass at least 1")
        == true
    )
  }

  @Test func `an operation that throws makes the run fail`() {
    struct Broken: Error {}
    let findings = explored(50) { run in
      try await run.generate([GeneratedOperation("a") { throw Broken() }])
    }

    #expect(findings.failures.count == 1)
    #expect(findings.failures.first?.outcome.seen == ["a"])
  }
}
