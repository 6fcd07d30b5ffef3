package import Exploring

/// A search through the schedules of a script, as long as it takes or as somebody says.
package struct ScriptSearch: Sendable, Codable {
  /// How schedules are chosen; nil for a thousand in order, and mixed ones where these are not all.
  package var strategy: Strategy?
  /// How many runs at most; nil for 10,000.
  package var runs: Int?
  /// From which seed on.
  package var seed: UInt64 = 0
  /// Whether it goes on behind the first failure.
  package var goesOn = false

  /// How many runs there are, unless somebody says so.
  package static let usualRuns = 10_000
  /// How many runs there may be.
  package var mostRuns: Int { runs ?? Self.usualRuns }

  /// What is searched where all schedules are not few.
  package var plan: Exploration.Plan {
    Exploration.Plan(
      strategy ?? StrategyName.mixed.strategy(),
      seeds: seed..<seed + UInt64(mostRuns),
      goesOn: goesOn
    )
  }

  /// A search of a thousand schedules in order, and of ten thousand others where these are not all.
  package init() {}

  /// Whether systematic runs come first.
  package var orAll: Bool { strategy == nil }
}
