import Exploring
package import Scenes

/// Races and deadlocks from public sources, ported to Swift, each with a repaired twin. They compare strategies.
///
/// None of them shows in the default schedule. `symptom` is the source.
package enum PublicBugs {
  package static let all: [Specimen] = [
    .locksOnMainActor, .locksOfActors, .fullChannels, .lostWakeup, .earlyCancellation,
    .unfinishedStream, .twoLeaders, .idleSlot, .lateAnswer, .earlyEnd, .lateTasks, .lateChild,
  ]
}

extension Specimen {
  /// Makes a specimen whose twin differs only in what `isRepaired` decides.
  init(
    _ name: String,
    from source: String,
    _ scenario:
      @escaping @MainActor @Sendable (_ isRepaired: Bool, ExploredRun) async throws -> Void
  ) {
    self.init(
      name: name,
      symptom: source,
      bug: { run in try await scenario(false, run) },
      twin: { run in try await scenario(true, run) }
    )
  }
}

/// Lets others run `count` times.
func yield(_ count: Int) async {
  for _ in 0..<count { await Task.yield() }
}
