import Exploring

/// Decides which failures of a script are shortened, and returns the shortest script for each.
extension ScriptExploration {
  /// Returns the shortest scripts that were found for the failures, in the order of the failures.
  /// Each trial is a run in a worker, so that a crash costs only that trial.
  func counterexamples(_ findings: Findings) -> [ShortScript] {
    findings.failures.map { failure in
      let crash = executor.crashes[failure.schedule]
      // Each trial of a run that hangs would take the full time limit.
      if executor.hangs(failure.schedule) { return whole(failure, crash) }
      executor.beginTrials()
      let continues = stop.whileShortening()
      let perform = { [executor] in executor.perform($0, by: $1, while: continues) }
      let written = failure.written(executor.subject.content, perform: perform)
      var shrinking = ScriptShrinking(
        written.commands,
        written.schedule,
        failure.violation,
        isWritten: failure.outcome.generated == nil,
        perform
      )
      var short = shrinking.shrink()
      short.crashes = executor.crashes(of: short.commands)
      if crash != nil, short.crashes[short.schedule] == nil { return whole(failure, crash) }
      return short
    }
  }

  /// Returns the failure with all its commands.
  private func whole(_ failure: Findings.Failure, _ crash: RunCrash?) -> ShortScript {
    let (commands, schedule) = failure.written(executor.subject.content) { _, _ in .unknown }
    return ShortScript(
      commands: commands,
      places: Array(commands.indices),
      schedule: schedule,
      violation: failure.violation,
      crashes: crash.map { [schedule: $0] } ?? [:]
    )
  }
}
