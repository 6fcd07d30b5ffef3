import Exploring
import RehearsalBase
import Staging

/// The search for a schedule of a shorter script that still has the violation.
extension ScriptShrinking {
  /// The amount of work to find a schedule.
  enum Effort {
    /// Tries the known schedule only.
    case little
    /// Also tries similar schedules, and those with one deviation.
    case some
    /// Also tries random schedules.
    case much
  }

  /// Maximum number of runs with one deviation, and of choices that are tried at each scheduling
  /// point.
  private static let (runsForASchedule, mostChoices) = (60, 4)
  /// Maximum number of choices that are removed from the known schedule one at a time, of default
  /// choices that are removed before a deviation, and of deviations for which that is tried.
  private static let (mostDecisions, mostInARow, mostDeviations) = (16, 12, 4)
  /// Number of random schedules that are tried.
  private static let mostRandomRuns = 64

  /// Returns the known schedule if it still has the violation. Otherwise tries it without one
  /// choice or without several default choices in a row, and then schedules with one deviation.
  mutating func findSchedule(
    _ commands: [String],
    _ plain: ReplayedRun,
    _ effort: Effort
  ) -> Schedule? {
    let known = run(commands, schedule)
    if breaks(known, commands) { return Schedule(known.choices) }
    if effort == .little { return nil }
    // This is another failure, which other schedules would show as well.
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

  /// Returns a random schedule with the violation. Each has up to three deviations: at one
  /// scheduling point, or from one on, which delays one task for the rest of the run.
  private mutating func findAtRandom(_ commands: [String], _ plain: ReplayedRun) -> Schedule? {
    guard schedule.deviations > 2, !plain.counts.isEmpty else { return nil }
    let length = 2 * max(plain.counts.count, schedule.choices.count)
    for seed in 0..<Self.mostRandomRuns {
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

  /// Returns the known choices without several default choices before a deviation. This fits if a
  /// removed command had made several choices.
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
