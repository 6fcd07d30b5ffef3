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
  ///   - scenario: the code, which makes everything that it needs anew.
  /// - Returns: what was found. The schedule of a failure is the shortest that could be found.
  @MainActor public static func explore(
    _ plan: Plan = Plan(),
    limit: Int = 10_000,
    _ scenario: @escaping @MainActor (ExploredRun) async throws -> Void
  ) -> Findings {
    let play = { (decisions: Decisions) in
      assumingMainActor { Self.play(decisions, limit, scenario) }
    }
    var exploration = Exploration(plan, play)
    return exploration.run()
  }

  /// One run by a schedule.
  @MainActor public static func replay(
    _ schedule: Schedule,
    limit: Int = 10_000,
    _ scenario: @escaping @MainActor (ExploredRun) async throws -> Void
  ) -> RunOutcome {
    play(ListedDecisions(schedule), limit, scenario)
  }

  @MainActor private static func play(
    _ decisions: Decisions,
    _ limit: Int,
    _ scenario: @escaping @MainActor (ExploredRun) async throws -> Void
  ) -> RunOutcome {
    let stage = Stage(director: decisions)
    let run = ExploredRun(stage: stage, decisions: decisions)
    var hasEnded = false
    let task = stage.enter {
      Task { @MainActor in
        do {
          try await scenario(run)
        } catch {
          run.fail(by: error)
        }
        hasEnded = true
      }
    }
    let stop = stage.settle(limit: limit)
    var outcome = RunOutcome(seen: run.seen, failure: run.failure)
    switch stop {
    case .bound(let bound): outcome.cut = bound.description
    case .interrupted: outcome.cut = "interrupted"
    default:
      if !hasEnded, outcome.failure == nil {
        outcome.failure = RunFailure(
          rule: "the scenario comes to its end",
          what: "nothing is left to do, and the scenario still waits"
        )
      }
    }
    task.cancel()
    stage.close()
    return outcome
  }
}
