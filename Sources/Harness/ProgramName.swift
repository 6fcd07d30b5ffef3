/// What the program that runs is called, where words tell somebody what to type.
///
/// A program with systems of its own is the same shell under another name.
package enum ProgramName {
  // Written once, by `introduce`, before there is a second thread. A `Mutex` will not do: it remembers
  // the thread's id across a fork, and the workers of `test` would take it for another thread's.
  nonisolated(unsafe) private static var chosen = "rehearse"

  package static var current: String { chosen }

  /// Says the name.
  ///
  /// - Precondition: the process has one thread, and no name was read yet.
  package static func introduce(_ name: String) { chosen = name }
}
