/// The time of one thread that counts for those who watch it: processor time, and real time in which it waits. While it is
/// ready to run, but other threads have the processors, no time counts.
package struct ThreadClock {
  /// The time that counts so far, in milliseconds.
  package private(set) var milliseconds = 0
  /// The processor time of the thread at the latest look, in milliseconds.
  private var ran: Int?

  package init() {}

  /// Begins again.
  ///
  /// - Parameter activity: of the thread; nil if the system does not tell.
  package mutating func reset(_ activity: ProcessActivity?) {
    milliseconds = 0
    ran = activity?.ran
  }

  /// Counts the time since the latest look.
  ///
  /// - Parameters:
  ///   - elapsed: the real time since then, in milliseconds.
  ///   - activity: of the thread; nil if the system does not tell, and then real time counts.
  package mutating func pass(_ elapsed: Int, _ activity: ProcessActivity?) {
    if let activity, activity.isReady, let ran {
      milliseconds += min(elapsed, max(0, activity.ran - ran))
    } else {
      milliseconds += elapsed
    }
    ran = activity?.ran
  }
}
