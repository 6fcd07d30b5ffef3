/// Calls watches when nothing is left to do at an instant, so that they fetch results of other threads.
extension Stage {
  /// Calls `look` on the stage, on the main actor, each time nothing is left to do at an instant:
  /// before time moves, and before a driving call returns. Work that `look` adds runs at this
  /// instant; then `look` is called again.
  ///
  /// For libraries with threads that the stage cannot see: `look` fetches the results of those
  /// threads, at a point that is the same in every run. Watches are called in creation order. For
  /// the thread that drives the stage.
  ///
  /// - Returns: the watch. Releasing it ends the calls.
  public func whenQuiet(_ look: @escaping @MainActor () -> Void) -> QuietWatch {
    let watch = QuietWatch(look)
    executor.watches.append(WatchReference(watch: watch))
    return watch
  }
}

/// A closure that a stage calls when nothing is left to do at an instant. Releasing this object
/// ends the calls.
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
  /// Calls the watches.
  ///
  /// - Returns: whether there is now something to do at this instant.
  func lookAround() -> Bool {
    if let dispatch {
      dispatch.lookOutside()
      if hasWorkNow() { return true }
    }
    if watches.isEmpty { return false }
    watches.removeAll { $0.watch == nil }
    for reference in watches {
      guard let watch = reference.watch else { continue }
      onMain { assumingMainActor(watch.look) }
    }
    acceptMessages()
    return hasWorkNow()
  }
}
