/// Finds the nearest run that passes: it leaves out one difference of a failing schedule after the other.
extension Schedule {
  /// Finds a run that passes without one of the differences from the default schedule, preferably the last.
  ///
  /// - Parameter passes: performs a run, and returns whether it passes.
  /// - Returns: its schedule; nil if all that were tried fail.
  package func nearest(_ passes: (Schedule) -> Bool) -> Schedule? {
    let words = words
    for place in words.indices.reversed() {
      var changed = words
      changed.remove(at: place)
      let schedule = Schedule(words: changed)
      if passes(schedule) { return schedule }
    }
    return nil
  }
}
