import Exploring
import Testing

@testable import RehearsalTesting

/// The line that says how many schedules a test had.
@Suite struct SummaryTests {
  private actor Sum {
    private var sum = 0
    func add(_ number: Int) { sum += number }
  }

  @Test func `a line with all schedules names what that relies on`() async throws {
    let shared = try await explore(strategy: .exhaustive) { _ in
      let sum = Sum()
      let one = Task.detached { await sum.add(1) }
      let two = Task.detached { await sum.add(2) }
      await one.value
      await two.value
    }
    let drawn = try await explore(strategy: .exhaustive) { _ in
      let one = Task { _ = Int.random(in: 0..<3) }
      let two = Task { await Task.yield() }
      await one.value
      await two.value
    }

    #expect(
      shared.summary(of: "t")
        == "Test \"t\" ran under all \(shared.schedules) schedules, if tasks share state only through actors."
    )
    #expect(drawn.summary(of: "t").contains("ran under all "))
    #expect(drawn.summary(of: "t").hasSuffix(", with the random numbers of one seed."))
  }
}
