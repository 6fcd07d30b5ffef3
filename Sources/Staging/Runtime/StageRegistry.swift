import CVirtualTime
import Synchronization

/// How a stage is reached from elsewhere. Not the stage itself: whoever looks it up must not be the last to
/// let go of a stage, which would then close on a thread that is not its own.
final class StageAddress: Sendable {
  let registry: TaskRegistry
  let inbox = Inbox()
  /// Whether the stage still reads its inbox.
  let isOpen = Atomic<Bool>(true)

  init(registry: TaskRegistry) {
    self.registry = registry
  }
}

/// The stages of this process, so that a job that wakes on a foreign thread finds its own.
///
/// Stages of different threads are kept on different shelves: making one takes no lock that another
/// thread is likely to hold.
enum StageRegistry {
  private static let shelves = (0..<16).map { _ in Shelf() }
  private static let shelfMask: UInt = 15

  private final class Shelf: Sendable {
    let count = Atomic<Int>(0)
    let addresses = Mutex<[StageAddress]>([])
  }

  /// Remembers a stage, and returns the shelf to name when it leaves.
  static func enter(_ address: StageAddress) -> Int {
    let index = Int((UInt(cvt_thread_number()) >> 12) & shelfMask)
    shelves[index].addresses.withLock { $0.append(address) }
    shelves[index].count.wrappingAdd(1, ordering: .sequentiallyConsistent)
    return index
  }

  static func leave(_ address: StageAddress, shelf: Int) {
    shelves[shelf].addresses.withLock { addresses in
      guard let place = addresses.firstIndex(where: { $0 === address }) else { return }
      addresses.remove(at: place)
      shelves[shelf].count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }
  }

  /// Returns the stage on which a task was created, if that stage is open.
  static func openStage(of task: UInt64) -> StageAddress? {
    for shelf in shelves where shelf.count.load(ordering: .sequentiallyConsistent) > 0 {
      let found = shelf.addresses.withLock { addresses in
        addresses.first { $0.registry.contains(task) && $0.isOpen.load(ordering: .acquiring) }
      }
      if let found { return found }
    }
    return nil
  }

  /// Hands the job to the stage on which its task was born. False when no stage knows the task.
  static func deliver(_ job: UnownedJob, task: UInt64, onMain: Bool) -> Bool {
    for shelf in shelves where shelf.count.load(ordering: .sequentiallyConsistent) > 0 {
      let found = shelf.addresses.withLock { addresses in
        guard let address = addresses.first(where: { $0.registry.contains(task) }) else {
          return false
        }
        address.inbox.post(.job(job, onMain: onMain))
        return true
      }
      if found { return true }
    }
    return false
  }
}
