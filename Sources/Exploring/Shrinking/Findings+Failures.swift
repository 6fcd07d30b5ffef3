/// A run by a schedule, as the shrinking of failures needs it: its choices, the numbers of possible choices, and its
/// outcome.
package struct ReplayedRun: Sendable, Codable {
  /// The choice at each decision.
  package let choices: [Int]
  /// The number of possible choices at each decision.
  package let counts: [Int]
  /// The result of the run.
  package let outcome: RunOutcome
  /// The differences of the run from the default schedule, in words that name tasks; nil if the run did not end.
  let words: [Schedule.Word]?
  /// The first difference between the schedule and the run; nil if the run has followed the whole schedule, or is unknown.
  package let misfit: ReplayScheduler.Misfit?

  /// Makes a run that has not ended.
  package init(choices: [Int], counts: [Int], outcome: RunOutcome) {
    self.choices = choices
    self.counts = counts
    self.outcome = outcome
    (words, misfit) = (nil, nil)
  }

  /// A run without any information.
  package static let unknown = ReplayedRun(choices: [], counts: [], outcome: RunOutcome(seen: []))

  /// Performs the run in this process.
  package init(_ schedule: Schedule, _ play: (SearchScheduler) -> RunOutcome) {
    let scheduler = ReplayScheduler(schedule, describes: true)
    outcome = play(scheduler)
    choices = scheduler.choices
    counts = scheduler.counts
    words = scheduler.words
    misfit = scheduler.takeMisfitOfWholeRun()
  }
}

extension Findings {
  /// Finds the shortest schedule for each violated check, starting with the run that deviates
  /// least.
  ///
  /// - Parameters:
  ///   - continues: called before each run; returns whether to continue.
  ///   - replay: performs a run by a schedule.
  package mutating func shrinkFailures(
    while continues: () -> Bool = { true },
    _ replay: (Schedule) -> ReplayedRun
  ) {
    failures = violatedChecks.map { violated in
      let schedule = violated.schedule.shrunk(violating: violated.check) {
        continues() ? replay($0) : .unknown
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
  /// Maximum number of runs for shrinking one failure.
  package static let shrinkingRuns = 2_000

  /// Returns the shortest schedule that still violates a check in the same way.
  ///
  /// - Parameters:
  ///   - check: the check that this schedule violates.
  ///   - runs: maximum number of runs.
  ///   - replay: performs a run by a schedule.
  /// - Returns: this schedule if no shorter one was found.
  package func shrunk(
    violating check: CheckID,
    runs: Int = shrinkingRuns,
    _ replay: (Schedule) -> ReplayedRun
  ) -> Schedule {
    let known = replay(self).outcome
    let violation = known.violation(of: check)
    // The decisions that chose generated commands are found by their numbers.
    let form: ScheduleShrinking.Form = known.generated == nil ? .stable : .numbers
    return withoutActuallyEscaping(replay) { replay in
      var shrinking = ScheduleShrinking(runs: runs, replay) { outcome in
        guard let found = outcome.violation(of: check) else { return false }
        return violation.map(found.isLike) ?? true
      }
      return shrinking.shrink(self, as: form)
    }
  }

  /// Returns the shortest schedule whose run still matches; this schedule if no shorter one was
  /// found.
  func shrunk(
    runs: Int,
    as form: ScheduleShrinking.Form,
    _ replay: (Schedule) -> ReplayedRun,
    where matches: @escaping (RunOutcome) -> Bool
  ) -> Schedule {
    withoutActuallyEscaping(replay) { replay in
      var shrinking = ScheduleShrinking(runs: runs, replay, where: matches)
      return shrinking.shrink(self, as: form)
    }
  }
}
