import CVirtualTime
import Synchronization

/// The stages of this process, so that a job that wakes on a foreign thread finds its own.
///
/// Stages of different threads are kept on different shelves: making one takes no lock that another
/// thread is likely to hold.
enum StageRegistry {
  private static let shelves = (0..<16).map { _ in Shelf() }
  private static let shelfMask: UInt = 15

  /// Stages are kept unretained: each leaves before it is gone, and waits for whoever is looking at it.
  private final class Shelf: Sendable {
    let count = Atomic<Int>(0)
    let stages = Mutex<[Unmanaged<StageExecutor>]>([])
  }

  /// Remembers a stage, and returns the shelf to name when it leaves.
  static func enter(_ stage: StageExecutor) -> Int {
    let index = Int((UInt(cvt_thread_number()) >> 12) & shelfMask)
    let entry = Unmanaged.passUnretained(stage)
    shelves[index].stages.withLock { $0.append(entry) }
    shelves[index].count.wrappingAdd(1, ordering: .sequentiallyConsistent)
    return index
  }

  static func leave(_ stage: StageExecutor, shelf: Int) {
    let entry = Unmanaged.passUnretained(stage).toOpaque()
    shelves[shelf].stages.withLock { stages in
      guard let place = stages.firstIndex(where: { $0.toOpaque() == entry }) else { return }
      stages.remove(at: place)
      shelves[shelf].count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }
  }

  /// Hands the job to the stage on which its task was born. False when no stage knows the task.
  static func deliver(_ job: UnownedJob, task: UInt64, onMain: Bool) -> Bool {
    for shelf in shelves where shelf.count.load(ordering: .sequentiallyConsistent) > 0 {
      let found = shelf.stages.withLock { stages in
        for entry in stages {
          let stage = entry.takeUnretainedValue()
          guard stage.births.contains(task) else { continue }
          stage.inbox.post(.job(job, onMain: onMain))
          return true
        }
        return false
      }
      if found { return true }
    }
    return false
  }
}
