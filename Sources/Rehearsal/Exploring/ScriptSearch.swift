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
  package var plan: Exploration.Plan { plan(strategy ?? StrategyName.mixed.strategy(), mostRuns) }

  /// A search of a thousand schedules in order, and of ten thousand others where these are not all.
  package init() {}

  /// Searches.
  ///
  /// - Parameters:
  ///   - goOn: asked after each run whether there shall be another.
  ///   - play: one run.
  /// - Returns: what was found.
  package func findings(
    while goOn: (Findings) -> Bool = { _ in true },
    _ play: @escaping (Decisions) -> RunOutcome
  ) -> Findings {
    var search = Exploration(plan, play)
    return search.run(orAll: strategy == nil, while: goOn)
  }

  private func plan(_ strategy: Strategy, _ runs: Int) -> Exploration.Plan {
    Exploration.Plan(strategy, seeds: seed..<seed + UInt64(runs), goesOn: goesOn)
  }
}
