import CVirtualTime
import RehearsalBase

/// Stores the sequence of random numbers of a task in the task itself: in two words that the runtime of Swift 6.3
/// reserves and does not use. So a sequence costs no memory, and ends with its task.
enum TaskStream {
  private static func task(_ address: UnsafeMutableRawPointer) -> UnsafeMutablePointer<cvt_task> {
    address.assumingMemoryBound(to: cvt_task.self)
  }

  /// Returns the stream of a task; nil if it has none.
  static func load(_ task: UnsafeMutableRawPointer) -> RandomStream? {
    let seeds = self.task(task).pointee.job.reserved
    // Zero until the task has a stream.
    if seeds == 0 { return nil }
    return RandomStream(children: seeds, numbers: self.task(task).pointee.reserved)
  }

  static func store(_ stream: RandomStream, in task: UnsafeMutableRawPointer) {
    // Zero would mean that there is no stream.
    let seeds = stream.children.state == 0 ? 1 : stream.children.state
    self.task(task).pointee.job.reserved = seeds
    self.task(task).pointee.reserved = stream.numbers.state
  }

  /// Whether the two words are free: the first is zero in a new task, and both stay while a task is suspended and
  /// resumed. Tried once, with a task that belongs to no stage.
  static let isKept: Bool = {
    guard MemoryLayout<UInt>.size == 8 else { return false }
    let (seeds, state) = (0x0123_4567_89AB_CDEF as UInt64, 0xFEDC_BA98_7654_3210 as UInt64)
    // The task runs on this thread: until its suspension, and when it is resumed.
    nonisolated(unsafe) var (wasFree, isFree) = (false, false)
    nonisolated(unsafe) var suspended: UnsafeContinuation<Void, Never>?
    Runtime.withTasksRunningAtOnce {
      Task.detached {
        guard let task = Runtime.currentTask().map(task) else { return }
        wasFree = task.pointee.job.reserved == 0
        task.pointee.job.reserved = seeds
        task.pointee.reserved = state
        await withUnsafeContinuation { suspended = $0 }
        isFree = task.pointee.job.reserved == seeds && task.pointee.reserved == state
      }
      suspended?.resume()
    }
    return wasFree && isFree
  }()
}
