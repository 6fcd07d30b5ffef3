import Exploring
import RehearsalBase
import Staging

/// Schedules by which what is left of a script might still break the rule.
extension ScriptShrinking {
  /// How much is done to find one.
  enum Effort {
    /// Only the known one is tried.
    case little
    /// What is near to it, and what deviates once.
    case some
    /// And some by chance.
    case much
  }

  /// So many runs look for another schedule where the known one does no longer, with so many choices at each
  /// decision at most.
  private static let (runsForASchedule, mostChoices) = (60, 4)
  /// So many decisions are tried to be left out of the known schedule, so many in a row in front of so many of those
  /// that deviate.
  private static let (mostDecisions, mostInARow, mostDeviations) = (16, 12, 4)
  /// So many are tried by chance.
  private static let runsByChance = 64

  /// The known schedule, if it still breaks the rule, or without a decision that is gone, or several in a row, or one
  /// that deviates at one decision only.
  mutating func findSchedule(
    _ commands: [String],
    _ plain: ReplayedRun,
    _ effort: Effort
  ) -> Schedule? {
    let known = run(commands, schedule)
    if breaks(known, commands) { return Schedule(known.choices) }
    if effort == .little { return nil }
    // What is wrong now is something else, which other schedules would show as well.
    if known.outcome.failures.contains(where: { plain.outcome.violation(of: $0.check) == nil }) {
      return nil
    }
    for place in schedule.choices.indices.prefix(Self.mostDecisions) {
      var choices = schedule.choices
      choices.remove(at: place)
      if breaks(run(commands, Schedule(choices)), commands) { return Schedule(choices) }
    }
    for candidate in sooner(schedule.choices)
    where breaks(run(commands, Schedule(candidate)), commands) {
      return Schedule(candidate)
    }
    var runs = 0
    alone: for (place, count) in plain.counts.enumerated() {
      for choice in 1..<min(count, Self.mostChoices) {
        let candidate = Schedule(Array(repeating: 0, count: place) + [choice])
        if breaks(run(commands, candidate), commands) { return candidate }
        runs += 1
        guard runs < Self.runsForASchedule else { break alone }
      }
    }
    return effort == .much ? findAtRandom(commands, plain) : nil
  }

  /// One that breaks the rule, among some by chance: they deviate at one decision, or from one on, as those do that hold
  /// somebody back, at up to three places.
  private mutating func findAtRandom(_ commands: [String], _ plain: ReplayedRun) -> Schedule? {
    guard schedule.deviations > 2, !plain.counts.isEmpty else { return nil }
    let length = 2 * max(plain.counts.count, schedule.choices.count)
    for seed in 0..<Self.runsByChance {
      var generator = SplitMix64(seed: UInt64(seed))
      var choices = Array(repeating: 0, count: length)
      for _ in 0...generator.next(below: 3) {
        let start = generator.next(below: plain.counts.count)
        let choice = 1 + generator.next(below: Self.mostChoices - 1)
        let end = generator.next(below: 2) == 0 ? start + 1 : length
        for place in start..<end { choices[place] = choice }
      }
      let run = run(commands, Schedule(choices))
      if breaks(run, commands) { return Schedule(run.choices) }
    }
    return nil
  }

  /// The known choices without several plain ones in front of one that deviates, as where a command is gone that
  /// decided more than once.
  private func sooner(_ choices: [Int]) -> [[Int]] {
    var candidates: [[Int]] = []
    var plain = 0
    var deviations = 0
    for (place, choice) in choices.enumerated() where deviations < Self.mostDeviations {
      if choice == 0 {
        plain += 1
        continue
      }
      for count in 2..<max(2, min(plain, Self.mostInARow) + 1) {
        var sooner = choices
        sooner.removeSubrange(place - count..<place)
        candidates.append(sooner)
      }
      deviations += 1
      plain = 0
    }
    return candidates
  }
}
