import Testing

@testable import RehearsalTesting

/// Traits of others around those of this library.
@Suite struct OuterTraitTests {
  /// Runs code around a test, such as a trait that prepares a database.
  private struct Fixture: TestTrait, TestScoping {
    func provideScope(
      for test: Test,
      testCase: Test.Case?,
      performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      try await function()
    }
  }

  private func outerTraits() throws -> String? {
    RehearsalTrait.explored.outerTraits(
      of: try #require(Test.current),
      try #require(Test.Case.current)
    )
  }

  @Test(Fixture(), .timeLimit(.minutes(1)), .explored(schedules: 1))
  func `a trait before the own one runs once`() async throws {
    let line = "'Fixture' runs once, around all schedules, because it comes before '.explored'."
    #expect(try outerTraits() == line)
  }

  @Test(.explored(schedules: 1), Fixture())
  func `a trait after the own one runs in each schedule`() async throws {
    #expect(try outerTraits() == nil)
  }
}
