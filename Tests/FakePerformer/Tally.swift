import Synchronization

/// A counter of this process, in a separate file, because a lock that is used in several files is compiled several
/// times.
enum Tally {
  private static let count = Mutex(0)

  static func next() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }
}
