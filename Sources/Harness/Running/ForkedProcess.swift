import CForking

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A copy of this process, which ends with it whatever ends it.
struct ForkedProcess {
  let id: pid_t
  /// While this is open the copy may live: when the last of those who have it is gone, the system tells it.
  private let lifeline: Int32

  /// Splits this process in two; nil where the system gives no more.
  ///
  /// Swift marks `fork` unavailable, because few programs keep to its one rule; those that use this have one
  /// thread, and check. The alternative, to start the program anew for each worker, costs a hundredth of a
  /// second each and needs a protocol to hand over what to play.
  ///
  /// - Parameter body: what the copy does.
  /// - Precondition: this process has one thread. Locks that another thread holds would stay locked in the
  ///   copy for ever.
  init?(_ body: () -> Never) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (ear, lifeline) = (ends[0], ends[1])
    let parent = getpid()
    fflush(nil)  // Or both processes would write what is still in the buffers.
    let child = cfk_fork()
    if child == 0 {
      close(lifeline)
      Self.end(with: parent, ear)
      body()
    }
    close(ear)
    guard child > 0 else {
      close(lifeline)
      return nil
    }
    id = child
    self.lifeline = lifeline
  }

  /// Lets go of a copy that has ended.
  func release() { close(lifeline) }

  /// In the copy: has it end when nobody holds the other end of a pipe any more.
  private static func end(with parent: pid_t, _ ear: Int32) {
    signal(SIGIO) { _ in _exit(1) }
    var told = sigset_t()  // Who started us may have been a thread that leaves signals to others.
    sigemptyset(&told)
    sigaddset(&told, SIGIO)
    pthread_sigmask(SIG_UNBLOCK, &told, nil)
    _ = fcntl(ear, F_SETOWN, getpid())
    _ = fcntl(ear, F_SETFL, O_ASYNC)
    if getppid() != parent { _exit(1) }
  }
}
