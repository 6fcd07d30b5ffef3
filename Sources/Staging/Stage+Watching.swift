import Synchronization

/// For a host that wants to know whether code on the stage still comes back.
extension Stage {
  /// Runs a host's guest, code that is not the host's own and no job, for instance what a command of a
  /// user's own does at once.
  package func hosting<T>(_ body: () throws -> T) rethrows -> T {
    executor.isHosting.store(true, ordering: .releasing)
    defer { executor.isHosting.store(false, ordering: .releasing) }
    return try body()
  }

  /// Whether somebody has called `interrupt`, and no driving call has stopped for it yet: for a host that does
  /// much at once. From any thread.
  package var isInterrupted: Bool { executor.inbox.isInterrupted }

  /// Asks the stage for a sign. From any thread.
  package func knock() { executor.inbox.knock() }

  /// Whether code on the stage has kept the thread since the last `knock`: one job, or one guest. From any
  /// thread.
  package var isBlocked: Bool {
    executor.inbox.hasUnheardKnock
      && (executor.isDriven.load(ordering: .acquiring)
        || executor.isHosting.load(ordering: .acquiring))
  }
}
