#if canImport(Glibc)
import Glibc

/// The end of the main thread's stack, and the place where it is noted that it was reached.
///
/// Written once, before the handler is in place that reads it.
private nonisolated(unsafe) var watchedEnd: UInt = 0
private nonisolated(unsafe) var watchedNote: UnsafeMutablePointer<Int>?

/// Tells a stack that overflowed, as in a recursion without an end, from other bad accesses.
enum StackWatch {
  /// How far from the end of the stack an access still counts as beyond it: the system leaves a gap there.
  private static let toleranceInBytes: UInt = 2 << 20

  /// From now on a worker that overflows its stack sets `note` to 1 before it dies of the signal.
  static func begin(note: UnsafeMutablePointer<Int>) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit) == 0,
      limit.rlim_cur < 1 << 40
    else { return }
    watchedEnd =
      withUnsafeBytes(of: &limit) { UInt(bitPattern: $0.baseAddress) } - UInt(limit.rlim_cur)
    watchedNote = note
    // The handler needs a stack, and there is none left.
    let size = 1 << 16
    var stack = stack_t()
    stack.ss_sp = malloc(size)
    stack.ss_size = size
    guard sigaltstack(&stack, nil) == 0 else { return }
    var action = sigaction()
    action.__sigaction_handler.sa_sigaction = { _, info, _ in
      guard let info else { return }
      let address = UInt(bitPattern: info.pointee._sifields._sigfault.si_addr)
      let distance = address > watchedEnd ? address - watchedEnd : watchedEnd - address
      if distance < StackWatch.toleranceInBytes { watchedNote?.pointee = 1 }
    }
    // The access is made again after the handler, and ends the process then.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | Int32(bitPattern: UInt32(SA_RESETHAND))
    sigaction(SIGSEGV, &action, nil)
  }
}
#else
/// Elsewhere a stack that overflows is a bad access like others.
enum StackWatch {
  static func begin(note: UnsafeMutablePointer<Int>) {}
}
#endif
