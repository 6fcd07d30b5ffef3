import CForking

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A copy of this process. On Linux it ends with it, whatever ends it.
struct ForkedProcess {
  let id: pid_t

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
    fflush(nil)  // Or both processes would write what is still in the buffers.
    let child = cfk_fork()
    if child == 0 { body() }
    guard child > 0 else { return nil }
    id = child
  }
}
