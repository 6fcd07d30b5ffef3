import Synchronization

/// The tasks that were created on a stage: a bit for each of the runtime's task numbers, counted
/// from the first.
///
/// A task that another thread resumes does not name its stage. Its number stays the same over
/// suspensions, and later tasks have greater numbers.
final class TaskRegistry: @unchecked Sendable {
  /// Every task with a smaller number was created before the stage.
  private let first: UInt64

  // The stage's thread writes these while it holds the lock. It reads them without the lock; other
  // threads read them with it.
  private var words: UnsafeMutablePointer<UInt64>
  private var capacity = 4
  private let lock = Mutex(())

  init(first: UInt64) {
    self.first = first
    words = .allocate(capacity: capacity)
    words.initialize(repeating: 0, count: capacity)
  }

  deinit { words.deallocate() }

  /// Returns whether the task was created before the stage. For any thread.
  func isOlder(_ task: UInt64) -> Bool { task < first }

  /// Returns whether the task was created on the stage. Only for the stage's thread.
  func containsHere(_ task: UInt64) -> Bool {
    guard task >= first else { return false }
    let (word, bit) = place(of: task)
    return word < capacity && words[word] & bit != 0
  }

  /// Returns whether the task was created on the stage. For any thread.
  func contains(_ task: UInt64) -> Bool {
    lock.withLock { _ in containsHere(task) }
  }

  /// Adds a task. Only for the stage's thread.
  func insert(_ task: UInt64) {
    guard task >= first else { return }
    let (word, bit) = place(of: task)
    lock.withLock { _ in
      if word >= capacity { grow(toHold: word) }
      words[word] |= bit
    }
  }

  private func place(of task: UInt64) -> (word: Int, bit: UInt64) {
    let offset = task - first
    return (Int(offset >> 6), 1 << (offset & 63))
  }

  private func grow(toHold word: Int) {
    let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: max(capacity * 2, word + 1))
    let size = max(capacity * 2, word + 1)
    larger.update(from: words, count: capacity)
    (larger + capacity).initialize(repeating: 0, count: size - capacity)
    words.deallocate()
    words = larger
    capacity = size
  }
}
