import CVirtualTime
import Synchronization

/// The part of a stage that other threads reach. Not the stage itself: a thread that looks it up
/// must not release the last reference, because the stage would then close on the wrong thread.
final class StageAddress: Sendable {
  let registry: TaskRegistry
  let inbox = Inbox()
  /// Whether the stage still reads its inbox.
  let isOpen = Atomic<Bool>(true)
  /// The number of waits of the stage that another thread may end.
  private let waits = Atomic<Int>(0)

  /// The stage's own object in place of `OperationQueue.main`, retained, from its first use.
  private let operations = Mutex<OnStage<UnsafeMutableRawPointer>?>(nil)

  init(registry: TaskRegistry) {
    self.registry = registry
  }

  deinit {
    operations.withLock {
      if let queue = $0?.value { Unmanaged<AnyObject>.fromOpaque(queue).release() }
    }
  }

  /// Returns the stage's own `OperationQueue.main`, retained; nil if Foundation is not known.
  func mainOperations() -> UnsafeMutableRawPointer? {
    operations.withLock { operations in
      if operations == nil { operations = MainOperations.make().map(OnStage.init) }
      guard let queue = operations?.value else { return nil }
      _ = Unmanaged<AnyObject>.fromOpaque(queue).retain()
      return queue
    }
  }

  var isAwaitingThreads: Bool { waits.load(ordering: .sequentiallyConsistent) > 0 }

  func addWaits(_ count: Int) {
    waits.wrappingAdd(count, ordering: .sequentiallyConsistent)
    cvt_add_wait(Int32(count))
  }
}

/// The stages of this process, so that a job that another thread resumes finds its stage.
///
/// They are spread over several locked lists by thread, so that creating a stage rarely takes a
/// lock that another thread holds.
enum StageRegistry {
  private static let shelves = (0..<16).map { _ in Shelf() }
  private static let shelfMask: UInt = 15

  private final class Shelf: Sendable {
    let count = Atomic<Int>(0)
    let addresses = Mutex<[StageAddress]>([])
  }

  /// Registers a stage, and returns the index of its list, which removal needs.
  static func enter(_ address: StageAddress) -> Int {
    let index = Int((UInt(cvt_thread_number()) >> 12) & shelfMask)
    shelves[index].addresses.withLock { $0.append(address) }
    shelves[index].count.wrappingAdd(1, ordering: .sequentiallyConsistent)
    cvt_add_stage(1)
    if cvt_stages_have_main_queue() { inOrder.withLock { $0.append(address) } }
    return index
  }

  /// The stages in the order of their creation, if they have the main queue of the process.
  private static let inOrder = Mutex<[StageAddress]>([])

  /// The newest stage that is open.
  static var newest: StageAddress? {
    inOrder.withLock { $0.last { $0.isOpen.load(ordering: .acquiring) } }
  }

  /// The stages that are open.
  static var open: [StageAddress] {
    shelves.flatMap { shelf in
      guard shelf.count.load(ordering: .sequentiallyConsistent) > 0 else { return [StageAddress]() }
      return shelf.addresses.withLock { addresses in
        addresses.filter { $0.isOpen.load(ordering: .acquiring) }
      }
    }
  }

  static func leave(_ address: StageAddress, shelf: Int) {
    if cvt_stages_have_main_queue() { inOrder.withLock { $0.removeAll { $0 === address } } }
    shelves[shelf].addresses.withLock { addresses in
      guard let place = addresses.firstIndex(where: { $0 === address }) else { return }
      addresses.remove(at: place)
      cvt_add_stage(-1)
      shelves[shelf].count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }
  }

  /// Makes the stages that wait for other threads look at what these have done.
  static func nudgeAwaiting() {
    for shelf in shelves where shelf.count.load(ordering: .sequentiallyConsistent) > 0 {
      shelf.addresses.withLock { addresses in
        for address in addresses where address.isAwaitingThreads {
          address.inbox.post(.call { $0.dispatch?.lookOutside(isSignalled: true) })
        }
      }
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

  /// Sends a job to the stage on which its task was created. Returns false if no stage created the
  /// task.
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
