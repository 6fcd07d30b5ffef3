import Staging

/// Starts a search or a replay of Swift code in this process: the parameters of `Exploration.explore` and `replay`.
extension Exploration {
  /// Explores a scenario: runs it on a new stage for each schedule.
  ///
  /// The scenario is one task on the main actor. All work that it starts belongs to the run, which
  /// ends when nothing is left to do. A thrown error makes the run fail, and so does a run that
  /// never ends.
  ///
  /// - Parameters:
  ///   - plan: the strategy, the seeds and the limits.
  ///   - limit: number of jobs at one instant, and number of instants, after which a run is endless.
  ///   - leavesNothing: whether a run fails if a sleep or a waiting task is left when the scenario has ended. The function
  ///     `waitForAllTasks` of a run needs this.
  ///   - preemption: where other code may run although the running code does not wait; nil for nowhere.
  ///   - continues: called after each run; returns whether to continue.
  ///   - scenario: the code. It must create everything that it uses.
  /// - Returns: the findings. The schedule of a failure is the shortest that was found.
  @MainActor public static func explore(
    _ plan: Plan = Plan(),
    limit: Int = 10_000,
    leavesNothing: Bool = false,
    preempting preemption: Preemption? = nil,
    while continues: (Findings) -> Bool = { _ in true },
    _ scenario: @escaping @MainActor (ExploredRun) async throws -> Void
  ) -> Findings {
    let scenario = Scenario(
      limit: limit,
      leavesNothing: leavesNothing,
      preempting: preemption,
      body: scenario
    )
    let exploration = Exploration(plan) { scheduler in
      assumingMainActor { scenario.play(scheduler) }
    }
    return exploration.run(while: continues)
  }

  /// Performs one run by a schedule, with the same parameters.
  @MainActor public static func replay(
    _ schedule: Schedule,
    limit: Int = 10_000,
    leavesNothing: Bool = false,
    preempting preemption: Preemption? = nil,
    _ scenario: @escaping @MainActor (ExploredRun) async throws -> Void
  ) -> RunOutcome {
    Scenario(limit: limit, leavesNothing: leavesNothing, preempting: preemption, body: scenario)
      .play(ReplayScheduler(schedule))
  }
}
