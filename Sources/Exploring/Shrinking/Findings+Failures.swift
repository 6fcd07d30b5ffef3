/// Finds a short schedule for each violated check of a search, by runs of one schedule after another.
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
