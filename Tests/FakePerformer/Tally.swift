import Synchronization

/// Counts in this process, in a file of its own: locks that are used in several files are compiled
/// several times.
enum Tally {
  private static let count = Mutex(0)

  static func next() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }
}
