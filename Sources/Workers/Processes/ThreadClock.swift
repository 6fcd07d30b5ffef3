package import LibC

/// The time of one thread that counts towards a time limit: processor time, and real time while the thread waits. Time
/// does not count while the thread is ready to run but other threads use the processors.
package struct ThreadClock {
  /// The counted time so far, in milliseconds.
  package private(set) var milliseconds = 0
  /// The processor time of the thread at the last measurement, in milliseconds.
  private var ran: Int?

  package init() {}

  /// Restarts the measurement at zero.
  ///
  /// - Parameter activity: the activity of the thread; nil if the system does not report it.
  package mutating func reset(_ activity: ProcessActivity?) {
    milliseconds = 0
    ran = activity?.ran
  }

  /// Counts the time since the last measurement.
  ///
  /// - Parameters:
  ///   - elapsed: the real time since then, in milliseconds.
  ///   - activity: the activity of the thread; nil if the system does not report it, and then real time counts.
  package mutating func pass(_ elapsed: Int, _ activity: ProcessActivity?) {
    if let activity, activity.isReady, let ran {
      milliseconds += min(elapsed, max(0, activity.ran - ran))
    } else {
      milliseconds += elapsed
    }
    ran = activity?.ran
  }
}
