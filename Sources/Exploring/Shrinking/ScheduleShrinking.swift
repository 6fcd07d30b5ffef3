/// Shrinks a failing schedule: fewer decisions that differ from the default schedule, earlier ones,
/// smaller choices.
///
/// Removing a decision may change the meaning of later ones, so each candidate is tried, and the
/// actual choices of its run are kept. Ranges of decisions are removed as in delta debugging (A.
/// Zeller and R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002).
struct ScheduleShrinking {
  /// Maximum number of values that are tried at a decision that might be the only relevant one.
  private static let mostTried = 16

  private var runsLeft: Int
  private let replay: (Schedule) -> ReplayedRun
  private let matches: (RunOutcome) -> Bool
  /// The numbers of choices at the decisions of the shortest failing run.
  private var counts: [Int] = []

  /// - Parameters:
  ///   - runs: maximum number of runs.
  ///   - replay: performs a run by a schedule.
  ///   - matches: returns whether an outcome is still the wanted one.
  init(
    runs: Int,
    _ replay: @escaping (Schedule) -> ReplayedRun,
    where matches: @escaping (RunOutcome) -> Bool
  ) {
    runsLeft = runs
    self.replay = replay
    self.matches = matches
  }

  /// Returns the shortest schedule that still fails.
  mutating func shrink(_ schedule: Schedule) -> Schedule {
    var best = schedule.choices
    var last: [Int]
    repeat {
      last = best
      cutEnd(&best)
      removeDeviations(&best)
      lowerChoices(&best)
    } while best != last && runsLeft > 0
    moveOneDeviation(&best)
    return Schedule(best)
  }

  private mutating func attempt(_ choices: [Int], _ best: inout [Int]) -> Bool {
    guard runsLeft > 0, Self.isSimpler(choices, than: best) else { return false }
    runsLeft -= 1
    let run = replay(Schedule(choices))
    guard matches(run.outcome) else { return false }
    let chosen = Schedule(run.choices).choices
    guard Self.isSimpler(chosen, than: best) else { return false }
    best = chosen
    counts = run.counts
    return true
  }

  /// Replaces all choices after an early decision by those of the default schedule.
  private mutating func cutEnd(_ best: inout [Int]) {
    var kept = 0
    while kept < best.count {
      if attempt(Schedule(best[..<kept]).choices, &best) { return }
      kept = kept == 0 ? 1 : kept * 2
    }
  }

  private mutating func removeDeviations(_ best: inout [Int]) {
    var size = max(1, Schedule(best).deviations)
    while size >= 1, runsLeft > 0 {
      var start = 0
      while true {
        let places = best.indices.filter { best[$0] != 0 }
        guard start < places.count else { break }
        var choices = best
        for place in places[start..<min(start + size, places.count)] { choices[place] = 0 }
        if !attempt(Schedule(choices).choices, &best) { start += size }
      }
      size /= 2
    }
  }

  private mutating func lowerChoices(_ best: inout [Int]) {
    for place in best.indices {
      var step = place < best.count ? best[place] - 1 : 0
      while step > 0, place < best.count {
        var choices = best
        choices[place] -= step
        step = choices[place] > 0 && attempt(choices, &best) ? min(step, best[place] - 1) : step / 2
      }
    }
  }

  /// Looks for a schedule with a single deviation or, failing that, for a single deviation at
  /// another decision that replaces two: removing alone does not always find the minimum.
  private mutating func moveOneDeviation(_ best: inout [Int]) {
    guard best.contains(where: { $0 != 0 }) else { return }
    // Before a single deviation, the run equals the default schedule.
    if moveDeviation(in: replay(Schedule()).counts, keeping: nil, &best) { return }
    if counts.isEmpty { counts = replay(Schedule(best)).counts }
    let kept = best.indices.filter { best[$0] != 0 }
    guard kept.count > 1 else { return }
    for place in kept where moveDeviation(in: counts, keeping: place, &best) {
      return moveOneDeviation(&best)
    }
  }

  /// Tries a deviation at each decision, in addition to the one that is kept.
  ///
  /// - Returns: whether the schedule became simpler.
  private mutating func moveDeviation(
    in counts: [Int],
    keeping place: Int?,
    _ best: inout [Int]
  ) -> Bool {
    var base = Array(repeating: 0, count: counts.count)
    if let place, place < base.count { base[place] = best[place] }
    for (moved, count) in counts.enumerated() where moved != place && runsLeft > 0 {
      for choice in 1..<max(1, min(count, Self.mostTried)) {
        var choices = base
        choices[moved] = choice
        if attempt(Schedule(choices).choices, &best) { return true }
      }
    }
    return false
  }

  /// Returns whether a schedule is simpler: fewer deviations, then an earlier end, then smaller
  /// choices.
  static func isSimpler(_ one: [Int], than other: [Int]) -> Bool {
    func rank(_ choices: [Int]) -> (Int, Int, Int) {
      (choices.reduce(0) { $0 + ($1 == 0 ? 0 : 1) }, choices.count, choices.reduce(0, +))
    }
    return rank(one) < rank(other)
  }
}
