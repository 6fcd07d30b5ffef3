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
  /// - Parameter body: the code of the copy.
  /// - Throws: the error of the system if it cannot create a process.
  /// - Precondition: this process has one thread. Locks that another thread holds would stay locked in the copy.
  package init(_ body: () -> Never) throws(SystemError) {
    fflush(nil)  // Otherwise both processes would write the buffered output.
    let child = cfk_fork()
    if child == 0 { body() }
    guard child > 0 else { throw .last }
    id = child
  }

  /// Kills the process and waits until it has ended.
  package func kill() {
    sendKill()
    _ = ProcessEnd.wait(for: id, blocking: true)
  }

  /// Kills the process without waiting for its end.
  func sendKill() { systemKill(id, SIGKILL) }
}

private func systemKill(_ process: Int32, _ signal: Int32) { kill(process, signal) }
