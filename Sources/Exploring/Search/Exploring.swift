import Staging

extension Exploration {
  /// Explores a scenario: runs it on a fresh stage for each schedule.
  ///
  /// The scenario is one task on the main actor; all that it starts belongs to the run, which ends when nothing is
  /// left to do. What it throws makes the run a failure, and so does never coming to its end.
  ///
  /// - Parameters:
  ///   - plan: how schedules are chosen, and how many.
  ///   - limit: how many jobs at one instant, and how many instants, make a run endless.
  ///   - leavesNothing: whether a run fails where somebody still sleeps when the scenario has ended.
  ///   - goOn: asked after each run whether there shall be another.
  ///   - scenario: the code, which makes everything that it needs anew.
  /// - Returns: what was found. The schedule of a failure is the shortest that could be found.
  @MainActor public static func explore(
    _ plan: Plan = Plan(),
    limit: Int = 10_000,
    leavesNothing: Bool = false,
    while goOn: (Findings) -> Bool = { _ in true },
    _ scenario: @escaping @MainActor (ExploredRun) async throws -> Void
  ) -> Findings {
    let scenario = Scenario(limit: limit, leavesNothing: leavesNothing, body: scenario)
    let exploration = Exploration(plan) { scheduler in
      assumingMainActor { scenario.play(scheduler) }
    }
    return exploration.run(while: goOn)
  }

  /// One run by a schedule, with the same parameters.
  @MainActor public static func replay(
    _ schedule: Schedule,
    limit: Int = 10_000,
    leavesNothing: Bool = false,
    _ scenario: @escaping @MainActor (ExploredRun) async throws -> Void
  ) -> RunOutcome {
    Scenario(limit: limit, leavesNothing: leavesNothing, body: scenario)
      .play(ReplayScheduler(schedule))
  }
}
