import RehearsalBase

/// The streams of random numbers of tasks. Each is kept in its task: in two words that the runtime of Swift 6.3 reserves
/// and does not use, `Job::Reserved` and `AsyncTask::Reserved64` in its `swift/ABI/Task.h`. So a stream costs no memory,
/// and ends with its task.
enum TaskStream {
  /// Zero until the task has a stream.
  private static let children = 48
  private static let numbers = 72

  /// Returns the stream of a task; nil if it has none.
  static func load(_ task: UnsafeMutableRawPointer) -> RandomStream? {
    let seeds = task.load(fromByteOffset: children, as: UInt64.self)
    if seeds == 0 { return nil }
    let state = task.load(fromByteOffset: numbers, as: UInt64.self)
    return RandomStream(children: seeds, numbers: state)
  }

  static func store(_ stream: RandomStream, in task: UnsafeMutableRawPointer) {
    // Zero would mean that there is no stream.
    let seeds = stream.children.state == 0 ? 1 : stream.children.state
    task.storeBytes(of: seeds, toByteOffset: children, as: UInt64.self)
    task.storeBytes(of: stream.numbers.state, toByteOffset: numbers, as: UInt64.self)
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
        guard let task = Runtime.currentTask() else { return }
        wasFree = task.load(fromByteOffset: children, as: UInt64.self) == 0
        task.storeBytes(of: seeds, toByteOffset: children, as: UInt64.self)
        task.storeBytes(of: state, toByteOffset: numbers, as: UInt64.self)
        await withUnsafeContinuation { suspended = $0 }
        isFree =
          task.load(fromByteOffset: children, as: UInt64.self) == seeds
          && task.load(fromByteOffset: numbers, as: UInt64.self) == state
      }
      suspended?.resume()
    }
    return wasFree && isFree
  }()
}
