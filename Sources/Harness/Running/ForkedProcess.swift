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
  /// - Parameter body: what the copy does, as the first thing that its only thread ever did.
  /// - Precondition: this process has one thread. Locks that another thread holds would stay locked in the
  ///   copy for ever.
  init?(_ body: @escaping () -> Never) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (ear, lifeline) = (ends[0], ends[1])
    let parent = getpid()
    fflush(nil)  // Or both processes would write what is still in the buffers.
    let split = Split {
      close(lifeline)
      Self.end(with: parent, ear)
      body()
    }
    split.perform()
    close(ear)
    guard split.child > 0 else {
      close(lifeline)
      return nil
    }
    id = split.child
    self.lifeline = lifeline
  }

  /// Lets go of a copy that has ended.
  func release() { close(lifeline) }

  /// Bytes of the copy's stack: as many as the main thread's may grow to.
  static var stackSize: Int {
    var limit = rlimit()
    #if canImport(Glibc)
    getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit)
    #else
    getrlimit(RLIMIT_STACK, &limit)
    #endif
    return Int(min(max(limit.rlim_cur, 1 << 20), 1 << 28))
  }

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

/// A fork on a thread that is made for it.
///
/// Swift's `Mutex` notes the thread that holds it by the system's number, which is asked for once and kept in
/// several places for each thread: each module, without optimisation each file, has its own. A fork copies
/// the thread with these, and the new process has another number; a copy of a copy may lock by one number and
/// unlock by another, and traps. A new thread has kept none yet.
private final class Split {
  private let body: () -> Never
  private(set) var child: pid_t = -1

  init(_ body: @escaping () -> Never) { self.body = body }

  /// Returns in the process that was there before, when it has one thread again.
  func perform() {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, ForkedProcess.stackSize + Self.guardSize)
    pthread_attr_setguardsize(&attributes, Self.guardSize)
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    let context = Unmanaged.passUnretained(self).toOpaque()
    guard pthread_create(&thread, &attributes, splitProcess, context) == 0 else { return }
    #if canImport(Darwin)
    if let thread { pthread_join(thread, nil) }
    #else
    pthread_join(thread, nil)
    #endif
    // The system counts a thread for a moment longer than it can be waited for.
    let limit = ProcessControl.milliseconds + 1_000
    while !ProcessControl.isSingleThreaded, ProcessControl.milliseconds < limit { sched_yield() }
  }

  fileprivate func fork() {
    child = unguardedFork()
    if child == 0 { body() }
  }

  /// As wide as the gap that the system leaves below the main thread's.
  private static let guardSize = 1 << 20
}

private func splitProcess(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<Split>.fromOpaque(context).takeUnretainedValue().fork()
  return nil
}

// Swift marks `fork` unavailable, because few programs keep to its one rule; this one starts its
// workers while it has one thread, and checks. The alternative, to start the program anew for
// each worker, costs a millisecond each and needs a protocol to hand over what to play.
@_silgen_name("fork") private func unguardedFork() -> pid_t
