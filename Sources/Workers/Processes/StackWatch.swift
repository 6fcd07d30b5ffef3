#if canImport(Glibc)
import Glibc

/// The end of the main thread's stack, for the signal handler.
///
/// Written once, before the handler is installed.
private nonisolated(unsafe) var watchedEnd: UInt = 0
private nonisolated(unsafe) var watchedNote: UnsafeMutablePointer<Int>?

/// Distinguishes a stack overflow, for example by endless recursion, from other bad memory accesses.
enum StackWatch {
  /// The distance from the end of the stack that still counts as an overflow, because the system leaves a gap there.
  private static let toleranceInBytes: UInt = 2 << 20

  /// From now on, a stack overflow of a worker sets `note` to 1 before the signal ends it.
  static func begin(note: UnsafeMutablePointer<Int>) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit) == 0,
      limit.rlim_cur < 1 << 40
    else { return }
    watchedEnd =
      withUnsafeBytes(of: &limit) { UInt(bitPattern: $0.baseAddress) } - UInt(limit.rlim_cur)
    watchedNote = note
    // The handler needs another stack, because the usual one is full.
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
    // After the handler, the access is repeated and ends the process.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | Int32(bitPattern: UInt32(SA_RESETHAND))
    sigaction(SIGSEGV, &action, nil)
  }
}
#else
/// On other systems a stack overflow is reported as a bad memory access.
enum StackWatch {
  static func begin(note: UnsafeMutablePointer<Int>) {}
}
#endif
