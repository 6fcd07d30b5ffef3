#if canImport(Darwin)
import Dispatch
#else
import LibC
#endif

/// A counting semaphore that waits in real time also on a thread that runs a stage. There, semaphores of Dispatch and
/// conditions wait in virtual time.
package final class ThreadSignal: @unchecked Sendable {
  // Semaphores may be used by all threads.
  #if canImport(Darwin)
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  package func post() { semaphore.signal() }

  package func wait() { semaphore.wait() }
  #else
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  package init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  /// Wakes one waiting thread, or the next one that waits.
  package func post() { sem_post(semaphore) }

  /// Blocks the thread until `post`.
  package func wait() { while sem_wait(semaphore) != 0 {} }
  #endif
}
