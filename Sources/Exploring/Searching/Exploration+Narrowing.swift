/// Schedules that break a certain rule.
extension Exploration {
  /// Looks for one, among the first few of all and among some by chance.
  ///
  /// - Parameters:
  ///   - rule: the rule that it shall break.
  ///   - likely: the schedule that is tried first.
  ///   - runs: how many runs it may take.
  ///   - play: one run.
  /// - Returns: what was chosen in the run that breaks it; nil where none did.
  package static func schedule(
    breaking rule: String,
    likely: Schedule,
    runs: Int,
    _ play: (Decisions) -> RunOutcome
  ) -> Schedule? {
    let listed = ListedDecisions(likely)
    if play(listed).failure?.rule == rule { return listed.schedule }
    let ordered = ExhaustiveDecisions()
    for _ in 0..<runs / 2 {
      guard ordered.begin() else { return nil }
      if play(ordered).failure?.rule == rule { return ordered.schedule }
    }
    let random = RandomDecisions(seed: 0)
    for seed in 0..<UInt64(runs / 2) {
      _ = random.begin()
      random.restart(seed: seed)
      if play(random).failure?.rule == rule { return random.schedule }
    }
    return nil
  }

  /// The shortest schedule that still breaks a rule.
  ///
  /// - Parameters:
  ///   - schedule: one that breaks it.
  ///   - rule: the rule.
  ///   - runs: how many runs it may take.
  ///   - play: one run.
  /// - Returns: the schedule itself where there is none that is shorter.
  package static func shortest(
    _ schedule: Schedule,
    breaking rule: String,
    runs: Int,
    _ play: @escaping (Decisions) -> RunOutcome
  ) -> Schedule {
    let listed = ListedDecisions(schedule)
    var shrinking = Shrinking(runs: runs) { choices in
      listed.restart(choices)
      let outcome = play(listed)
      return Shrinking.Attempt(
        choices: listed.choices,
        counts: listed.counts,
        fails: outcome.failure?.rule == rule
      )
    }
    return shrinking.shrink(schedule)
  }
}
