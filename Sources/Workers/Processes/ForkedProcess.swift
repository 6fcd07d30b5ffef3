internal import CForking
package import LibC

/// A copy of this process. On Linux it ends when this process ends, for any reason.
package struct ForkedProcess: Sendable {
  package let id: Int32

  /// Forks this process.
  ///
  /// Swift marks `fork` as unavailable, because a copy has only the thread that forks. The users of this type check that
  /// there is only one. Starting the program again would take ten milliseconds per worker, and the work would have to be
  /// sent to it.
  ///
  /// - Parameters:
  ///   - flushes: whether it writes buffered output before. Otherwise the copy must not write any.
  ///   - body: the code of the copy.
  /// - Throws: the error of the system if it cannot create a process.
  /// - Precondition: this process has one thread, or the copy may fail. Locks that another thread holds stay locked in it.
  package init(flushes: Bool = true, _ body: () -> Never) throws(SystemError) {
    if flushes { fflush(nil) }  // Otherwise both processes would write the buffered output.
    let child = cfk_fork()
    if child == 0 { body() }
    guard child > 0 else { throw .last }
    id = child
  }

  /// Restores the default signal handlers, because a back-trace with addresses is slow and differs each time. For a copy.
  static func resetSignals() {
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGALRM, SIGPIPE, SIGQUIT] {
      signal(number, SIG_DFL)
    }
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Glibc)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    #else
    setrlimit(RLIMIT_CORE, &none)
    #endif
  }

  /// Kills the process and waits until it has ended.
  package func kill() {
    sendKill()
    _ = ProcessEnd.wait(for: id, blocking: true)
  }

  /// Kills the process without waiting for its end.
  func sendKill() { send(SIGKILL) }

  /// Sends a signal to the process.
  func send(_ signal: Int32) { systemKill(id, signal) }
}

private func systemKill(_ process: Int32, _ signal: Int32) { kill(process, signal) }
