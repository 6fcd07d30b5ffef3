#if canImport(Glibc)
import Glibc

/// The end of a worker's stack, and the place where it is noted that it was reached.
///
/// Written once, before the handler is in place that reads it.
private nonisolated(unsafe) var watchedEnd: UInt = 0
private nonisolated(unsafe) var watchedNote: UnsafeMutablePointer<Int>?

/// Tells a stack that overflowed, as in a recursion without an end, from other bad accesses.
enum StackWatch {
  /// How far from the end of the stack an access still counts as beyond it: there is a gap.
  private static let toleranceInBytes: UInt = 2 << 20

  /// From now on a worker that overflows its stack sets `note` to 1 before it dies of the signal.
  static func begin(note: UnsafeMutablePointer<Int>) {
    // The stack has just begun.
    var here = 0
    watchedEnd = withUnsafeBytes(of: &here) {
      UInt(bitPattern: $0.baseAddress) - UInt(ForkedProcess.stackSize)
    }
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
