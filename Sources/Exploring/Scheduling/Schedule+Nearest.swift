/// Finds the nearest run that passes: it leaves out one difference of a failing schedule after the other.
extension Schedule {
  /// The maximum number of runs, and of the differences in all of them: a schedule with many differences belongs to a long run.
  private static let (mostRuns, mostDifferences) = (200, 20_000)

  /// Finds a run that passes without one of the differences from the default schedule, preferably the last.
  ///
  /// - Parameter passes: performs a run, and returns whether it passes.
  /// - Returns: its schedule; nil if all that were tried fail.
  package func nearest(_ passes: (Schedule) -> Bool) -> Schedule? {
    let words = words
    let most = min(Self.mostRuns, max(1, Self.mostDifferences / max(1, words.count)))
    for place in words.indices.reversed().prefix(most) {
      var changed = words
      changed.remove(at: place)
      let schedule = Schedule(words: changed)
      if passes(schedule) { return schedule }
    }
    return nil
  }
}
