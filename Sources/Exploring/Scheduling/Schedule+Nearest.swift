extension Schedule {
  /// Finds a run that passes, with the longest common beginning of choices.
  ///
  /// - Parameter passes: performs a run, and returns whether it passes.
  /// - Returns: its schedule; nil if all that were tried fail.
  package func nearest(_ passes: (Schedule) -> Bool) -> Schedule? {
    for place in choices.indices.reversed() where choices[place] != 0 {
      var changed = choices
      changed[place] = 0
      let schedule = Schedule(changed)
      if passes(schedule) { return schedule }
    }
    return nil
  }
}
