import Synchronization

/// For a host that wants to know whether code on the stage still comes back.
extension Stage {
  /// Begins work that is no job but may keep the thread like one, for instance a command, which may call a user's own
  /// code at once.
  ///
  /// - Returns: what `endHosting` takes at the end of the work.
  package func beginHosting() -> Bool {
    executor.isHosting.exchange(true, ordering: .acquiringAndReleasing)
  }

  package func endHosting(_ wasHosting: Bool) {
    executor.isHosting.store(wasHosting, ordering: .releasing)
  }

  /// Whether somebody has called `interrupt`, and no driving call has stopped for it yet: for a host that does
  /// much at once. From any thread.
  package var isInterrupted: Bool { executor.inbox.isInterrupted }

  /// Asks the stage for a sign. From any thread.
  package func knock() { executor.inbox.knock() }

  /// Gives the sign that `knock` asks for: from a host that does other work than the stage's for long.
  package func answerKnock() { executor.inbox.answerKnock() }

  /// The instants from one to another for which somebody sleeps now: in order, each once. For code on the stage.
  package func alarms(from first: StageInstant, through last: StageInstant) -> [StageInstant] {
    let range = first.nanoseconds...max(first.nanoseconds, last.nanoseconds)
    let awaited = executor.sleepers.alarms.alarms.filter {
      range.contains($0.at) && executor.sleepers.isAwaited($0)
    }
    return Set(awaited.map(\.at)).sorted().map { StageInstant(nanoseconds: $0) }
  }

  /// Whether code on the stage has kept the thread since the last `knock`: one job, or one guest. From any
  /// thread.
  package var isBlocked: Bool {
    executor.inbox.hasUnheardKnock
      && (executor.isDriven.load(ordering: .acquiring)
        || executor.isHosting.load(ordering: .acquiring))
  }
}
