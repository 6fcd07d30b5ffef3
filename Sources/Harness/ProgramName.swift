/// The name of the running program, for messages that contain commands to type.
///
/// A program with its own scenes is the same shell under another name.
package enum ProgramName {
  // `introduce` writes it once, before there is a second thread. A `Mutex` does not work here: it stores the thread's
  // id across a fork, and the workers of `test` would see it as locked by another thread.
  nonisolated(unsafe) private static var chosen = "rehearse"

  nonisolated(unsafe) private static var makeCommand = { chosen }

  package static var current: String { chosen }

  /// What a user types to start the program: its name, or `swift run NAME`.
  package static var command: String { makeCommand() }

  /// Sets the name.
  ///
  /// - Precondition: the process has one thread, and no name was read yet.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - command: returns what a user types to start the program.
  package static func introduce(_ name: String, command: @escaping () -> String) {
    (chosen, makeCommand) = (name, command)
  }
}
