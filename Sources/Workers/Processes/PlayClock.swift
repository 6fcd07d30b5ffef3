import LibC

/// The time that counts towards a time limit: processor time, and real time while work waits outside of virtual time.
/// It may wait for a socket or a lock, for example.
///
/// Time does not count while the work is ready to run but other programs use the processors, so a busy machine causes
/// no failures. If the system does not report activity, real time counts.
package struct PlayClock {
  /// The start time, in milliseconds.
  let start: Int
  /// The counted time so far, in milliseconds.
  private var counted = 0
  /// The time of the last measurement.
  private var latest: Int?
  /// The processor time of each process at that time, by its id.
  private var ran: [pid_t: Int] = [:]

  /// Maximum waiting time between two measurements, in milliseconds. If a measurement is later than that, the measuring
  /// process was delayed, too.
  private static let mostWaiting = 100
  /// Maximum interval between two measurements, in milliseconds.
  private static let longestInterval = 50

  /// - Parameter start: the start time, in milliseconds.
  package init(start: Int) {
    self.start = start
  }

  /// Returns whether the limit is exceeded. All times are in milliseconds.
  ///
  /// - Parameters:
  ///   - limit: the maximum of the counted time.
  ///   - now: the current time.
  ///   - look: returns the activity of the working processes by their ids; with `false`, that of the first is enough.
  ///     It is not called in the first tenth of the limit, which counts completely, because most work ends by then. If the
  ///     first measurement is later, the measuring process was delayed, so more than the tenth does not count.
  /// - Returns: whether it is exceeded.
  mutating func isOver(
    limit: Int,
    at now: Int,
    look: (_ atAll: Bool) -> [pid_t: ProcessActivity]
  ) -> Bool {
    guard now - start >= limit / 10 else { return false }
    guard let before = latest else {
      counted = limit / 10
      latest = now
      _ = note(look(false))
      return counted >= limit
    }
    let elapsed = now - before
    guard elapsed > 0, elapsed >= min(limit / 20, Self.longestInterval) else { return false }
    latest = now
    var processes = look(false)
    let isReady = { processes.values.contains(where: \.isReady) }
    if !processes.isEmpty, !isReady() { processes = look(true) }
    let longest = note(processes)
    let waited = isReady() ? 0 : processes.isEmpty ? elapsed : Self.mostWaiting
    counted += min(elapsed, max(longest, waited))
    return counted >= limit
  }

  /// Stores the processor times, and returns the largest increase.
  private mutating func note(_ processes: [pid_t: ProcessActivity]) -> Int {
    let growth = processes.map { $1.ran - (ran[$0] ?? 0) }.max() ?? 0
    ran.merge(processes.mapValues(\.ran)) { $1 }
    return growth
  }

  /// Returns whether the limit is exceeded for a process and its descendants.
  mutating func isOver(limit: Int, at now: Int, process: pid_t) -> Bool {
    isOver(limit: limit, at: now) { atAll in
      if atAll { return ProcessActivity.ofTree(process) }
      return ProcessActivity.of(process).map { [process: $0] } ?? [:]
    }
  }

  /// Returns whether the limit is exceeded for a thread of this process.
  package mutating func isOver(limit: Int, at now: Int, thread: Int32) -> Bool {
    isOver(limit: limit, at: now) { _ in
      ProcessActivity.ofThread(thread).map { [thread: $0] } ?? [:]
    }
  }
}
