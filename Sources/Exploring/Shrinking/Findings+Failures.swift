/// A run by a schedule, and what there was to choose from in it.
package struct ReplayedRun: Sendable, Codable {
  /// What was chosen, decision by decision.
  package let choices: [Int]
  /// Of how many.
  package let counts: [Int]
  /// The result of the run.
  package let outcome: RunOutcome

  package init(choices: [Int], counts: [Int], outcome: RunOutcome) {
    self.choices = choices
    self.counts = counts
    self.outcome = outcome
  }

  /// One about which nothing is known.
  package static let unknown = ReplayedRun(choices: [], counts: [], outcome: RunOutcome(seen: []))

  /// Does the run here and now.
  package init(_ schedule: Schedule, _ play: (SearchScheduler) -> RunOutcome) {
    let scheduler = ReplayScheduler(schedule)
    outcome = play(scheduler)
    choices = scheduler.choices
    counts = scheduler.counts
  }
}

extension Findings {
  /// Finds the shortest schedule for each violated check, from the run that deviates least on.
  ///
  /// - Parameters:
  ///   - goOn: asked before each run that only makes one shorter.
  ///   - replay: does a run by a schedule.
  package mutating func shrinkFailures(
    while goOn: () -> Bool = { true },
    _ replay: (Schedule) -> ReplayedRun
  ) {
    failures = violatedChecks.map { violated in
      let schedule = violated.schedule.shrunk(violating: violated.check) {
        goOn() ? replay($0) : .unknown
      }
      return Failure(
        check: violated.check,
        count: violated.count,
        schedule: schedule,
        outcome: replay(schedule).outcome
      )
    }
  }
}

extension Schedule {
  /// How many runs it may take to shrink one.
  package static let shrinkingRuns = 2_000

  /// The shortest schedule that still violates a check in the same way.
  ///
  /// - Parameters:
  ///   - check: the check that this schedule violates.
  ///   - runs: how many runs it may take.
  ///   - replay: does a run by a schedule.
  /// - Returns: this one where none that is shorter was found.
  package func shrunk(
    violating check: CheckID,
    runs: Int = shrinkingRuns,
    _ replay: (Schedule) -> ReplayedRun
  ) -> Schedule {
    let known = replay(self).outcome.violation(of: check)
    return shrunk(runs: runs, replay) { outcome in
      guard let violation = outcome.violation(of: check) else { return false }
      return known.map(violation.isLike) ?? true
    }
  }

  /// The shortest schedule whose run still comes to what counts; this one where none that is shorter was found.
  func shrunk(
    runs: Int,
    _ replay: (Schedule) -> ReplayedRun,
    where matches: @escaping (RunOutcome) -> Bool
  ) -> Schedule {
    withoutActuallyEscaping(replay) { replay in
      var shrinking = ScheduleShrinking(runs: runs, replay, where: matches)
      return shrinking.shrink(self)
    }
  }
}
