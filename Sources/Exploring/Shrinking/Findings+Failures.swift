/// A run by a schedule, and what there was to choose from in it.
package struct ReplayedRun: Sendable, Codable {
  /// What was chosen, decision by decision.
  package let choices: [Int]
  /// Of how many.
  package let counts: [Int]
  /// What the run came to.
  package let outcome: RunOutcome

  package init(choices: [Int], counts: [Int], outcome: RunOutcome) {
    self.choices = choices
    self.counts = counts
    self.outcome = outcome
  }

  /// One about which nothing is known.
  package static let unknown = ReplayedRun(choices: [], counts: [], outcome: RunOutcome(seen: []))

  /// Does the run here and now.
  package init(_ schedule: Schedule, _ play: (Decisions) -> RunOutcome) {
    let decisions = ListedDecisions(schedule)
    outcome = play(decisions)
    choices = decisions.choices
    counts = decisions.counts
  }
}

extension Findings {
  /// Looks for the shortest schedule of each rule that was broken, from the run that deviates least on.
  ///
  /// - Parameters:
  ///   - goOn: asked before each run that only makes one shorter.
  ///   - replay: does a run by a schedule.
  package mutating func shrinkFailures(
    while goOn: () -> Bool = { true },
    _ replay: (Schedule) -> ReplayedRun
  ) {
    failures = violatedChecks.map { violated in
      let schedule = violated.schedule.shrunk(breaking: violated.rule) {
        goOn() ? replay($0) : .unknown
      }
      return Failure(
        rule: violated.rule,
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

  /// The shortest schedule that still breaks a rule, and does so in the same way.
  ///
  /// - Parameters:
  ///   - rule: what this one breaks.
  ///   - runs: how many runs it may take.
  ///   - replay: does a run by a schedule.
  /// - Returns: this one where none that is shorter was found.
  package func shrunk(
    breaking rule: String,
    runs: Int = shrinkingRuns,
    _ replay: (Schedule) -> ReplayedRun
  ) -> Schedule {
    let kind = replay(self).outcome.failure(of: rule)?.kind
    return shrunk(runs: runs, replay) { outcome in
      guard let failure = outcome.failure(of: rule) else { return false }
      return kind == nil || failure.kind == kind
    }
  }

  /// The shortest schedule whose run still comes to what counts; this one where none that is shorter was found.
  func shrunk(
    runs: Int,
    _ replay: (Schedule) -> ReplayedRun,
    where isAsMeant: @escaping (RunOutcome) -> Bool
  ) -> Schedule {
    withoutActuallyEscaping(replay) { replay in
      var shrinking = Shrinking(runs: runs) { choices in
        let run = replay(Schedule(choices))
        return Shrinking.Attempt(
          choices: run.choices,
          counts: run.counts,
          fails: isAsMeant(run.outcome)
        )
      }
      return shrinking.shrink(self)
    }
  }
}
