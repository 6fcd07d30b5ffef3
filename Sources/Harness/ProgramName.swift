/// The name of the running program, for messages that contain commands to type.
///
/// A program with its own scenes is the same shell under another name.
package enum ProgramName {
  // `introduce` writes it once, before there is a second thread. A `Mutex` does not work here: it stores the thread's
  // id across a fork, and the workers of `test` would see it as locked by another thread.
  nonisolated(unsafe) private static var chosen = "rehearse"

  package static var current: String { chosen }

  /// Sets the name.
  ///
  /// - Precondition: the process has one thread, and no name was read yet.
  package static func introduce(_ name: String) { chosen = name }
}
