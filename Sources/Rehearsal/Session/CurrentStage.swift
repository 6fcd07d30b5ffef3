package import Staging
import Synchronization

/// The stage of a session. `undo`, `redo` and `rewind` replace it. For any thread.
package final class CurrentStage: Sendable {
  private let current: Mutex<Stage>

  init(_ stage: Stage) {
    current = Mutex(stage)
  }

  package internal(set) var stage: Stage {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  /// Interrupts the running command between two of its jobs.
  package func interrupt() { stage.interrupt() }
}
