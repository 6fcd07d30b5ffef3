extension Stage {
  /// Has `look` called on the stage, on the main actor, each time nothing is left to do at an instant: before
  /// time moves, and before a driving call returns. What it puts on the stage runs at this instant; then it is
  /// called again.
  ///
  /// For libraries whose threads the stage cannot see: here they fetch what came of the jobs that ran, at a
  /// point that is the same in every run. Watches look in the order in which they were made. For the thread
  /// that drives the stage.
  ///
  /// - Returns: what ends the watch, and has to be kept as long as it is to last.
  public func whenQuiet(_ look: @escaping @MainActor () -> Void) -> QuietWatch {
    let watch = QuietWatch(look)
    executor.watches.append(WatchReference(watch: watch))
    return watch
  }
}

/// Somebody who looks at a stage when it has nothing left to do at an instant. Ends when it goes away.
public final class QuietWatch: Sendable {
  let look: @MainActor () -> Void

  init(_ look: @escaping @MainActor () -> Void) {
    self.look = look
  }
}

struct WatchReference {
  weak var watch: QuietWatch?
}

extension StageExecutor {
  /// Lets the watches look.
  ///
  /// - Returns: whether that left something to do at this instant.
  func lookAround() -> Bool {
    if watches.isEmpty { return false }
    watches.removeAll { $0.watch == nil }
    for reference in watches {
      guard let watch = reference.watch else { continue }
      onMain { assumingMainActor(watch.look) }
    }
    openLetters()
    return hasWorkNow()
  }
}
