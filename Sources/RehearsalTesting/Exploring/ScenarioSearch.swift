import Exploring

/// What is asked of a search under `swift test`.
struct ScenarioSearch: Sendable {
  let schedules: Int
  let strategy: Strategy?
  let seed: UInt64
  let patience: Int?

  /// Searches until something fails, or a run is cut, or the task is cancelled.
  func run(_ player: ScenarioPlayer) -> Findings {
    let (end, isBeyond) = seed.addingReportingOverflow(UInt64(max(0, schedules)))
    let plan = Exploration.Plan(
      strategy ?? .mixed(changes: 3),
      seeds: seed..<(isBeyond ? .max : end),
      patience: patience
    )
    var exploration = Exploration(plan, player.play)
    return exploration.run(orAll: strategy == nil) { $0.cuts == 0 && !Task.isCancelled }
  }
}
