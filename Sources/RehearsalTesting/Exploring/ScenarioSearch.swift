import Exploring

/// What is asked of a search under `swift test`.
struct ScenarioSearch: Sendable {
  let schedules: Int
  let strategy: Strategy?
  let seed: UInt64
  let patience: Int?

  /// How many schedules are tried in order before they are chosen by chance.
  private static let fewSchedules = 1_000

  /// Searches until something fails, or a run is cut, or the task is cancelled.
  func run(_ player: ScenarioPlayer) -> Findings {
    if let strategy { return run(strategy, schedules, player) }
    let few = run(.exhaustive, min(schedules, Self.fewSchedules), player)
    return few.isUndecided ? run(.random, schedules, player) : few
  }

  private func run(
    _ strategy: Strategy,
    _ count: Int,
    _ player: ScenarioPlayer
  ) -> Findings {
    let (end, isBeyond) = seed.addingReportingOverflow(UInt64(max(0, count)))
    let seeds = seed..<(isBeyond ? .max : end)
    var exploration = Exploration(
      Exploration.Plan(strategy, seeds: seeds, patience: patience),
      player.play
    )
    return exploration.run { $0.cuts == 0 && !Task.isCancelled }
  }
}
