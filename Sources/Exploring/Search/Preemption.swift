/// The places at which a search may interrupt code that does not wait.
public enum Preemption: String, Sendable, Codable {
  /// Before a lock is locked, and after it is unlocked. For `NSLock`, `NSRecursiveLock`, `NSCondition`, mutexes and
  /// read-write locks of the C library, and in a build without optimisation for `Mutex`, before it is locked or unlocked.
  /// A result is never complete if this program does not allow some of it.
  case locks
}
