import Synchronization

/// Lists the steps that are possible next, and runs the chosen one.
extension Stage {
  /// The steps that are possible next.
  package struct NextSteps: Sendable {
    /// The instant at which they are possible: the present one, or the next one with something to do.
    package let instant: StageInstant
    /// The steps, in the order of the default schedule; empty if nothing is left to do, now or later.
    package let steps: [PossibleStep]
    /// `.reached`, `.idle` if nothing is left to do, or `.interrupted`.
    package let stop: Stop
  }

  /// Whether a step is possible at the present instant.
  package var hasWorkNow: Bool { executor.occupyThread(onMain: false) { executor.hasWorkNow() } }

  /// Calls the watches, as if nothing were left to do at the present instant. Steps that become possible do not run.
  package func lookAround() { executor.drive { [executor] in _ = executor.lookAround() } }

  /// Returns the steps that are possible next, without running one. Like each driving call, it waits for operations outside
  /// of the stage before time can advance.
  package func nextSteps() -> NextSteps {
    executor.drive { [executor] in
      let (instant, stop) = executor.findNextSteps()
      defer { executor.releaseNextSteps(of: instant) }
      let turn = Turn(executor: executor)
      return NextSteps(
        instant: StageInstant(nanoseconds: instant),
        steps: stop == .reached ? (0..<turn.count).map(turn.possibleStep) : [],
        stop: stop
      )
    }
  }

  /// Runs one of the next steps. Only while a scheduler chooses.
  ///
  /// - Parameter index: the index of the step in `nextSteps()`.
  /// - Returns: `.reached`, `.idle` if nothing is left to do, or `.interrupted`; nil if there is no such step.
  package func runStep(_ index: Int) -> Stop? {
    var next: Int? = index
    var isPossible = true
    let stop: Stop = executor.drive { [executor] in
      // Another thread drives the stage after this step has blocked.
      guard let index = next else { return .reached }
      next = nil
      let (instant, stop) = executor.findNextSteps()
      guard stop == .reached else { return stop }
      guard index < Turn(executor: executor).count else {
        executor.releaseNextSteps(of: instant)
        isPossible = false
        return .reached
      }
      executor.move(to: instant)
      executor.perform(index, of: Turn(executor: executor))
      // The block is the first ready job, and runs on a thread of the stage.
      if executor.needsThread { next = 0 }
      return .reached
    }
    return isPossible ? stop : nil
  }
}

extension StageExecutor {
  /// Finds the possible steps of this instant or, if there are none, of the next one.
  ///
  /// - Returns: their instant. `.idle` if nothing is left to do.
  fileprivate func findNextSteps() -> (instant: Int64, stop: Stage.Stop) {
    while true {
      inbox.answerPing()
      if inbox.takeInterruption() { return (nanoseconds, .interrupted) }
      if mayNotRunAll { wakeUnlocked() }
      findSteps(at: nanoseconds)
      if Turn(executor: self).count > 0 { return (nanoseconds, .reached) }
      acceptMessages()
      if hasWorkNow() || lookAround() { continue }
      if outsideCount.load(ordering: .acquiring) > 0 {
        inbox.wait()
      } else if !waitForOtherThreads() {
        guard let next = nextInstant() else { return (nanoseconds, .idle) }
        findSteps(at: next)
        return (next, .reached)
      }
    }
  }

  private func findSteps(at instant: Int64) {
    gatherDue(at: instant)
    findStartable()
    findAlternatives()
  }

  /// Puts the sleepers back that were taken out of the heap only to be listed.
  fileprivate func releaseNextSteps(of instant: Int64) {
    if instant > nanoseconds || isFirstInFirstOut { putBackDue() }
  }
}
