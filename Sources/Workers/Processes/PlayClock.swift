import LibC

/// The time that counts against a limit: processor time, and real time in which the work waits for something outside
/// virtual time, such as a socket or a lock.
///
/// Time in which the work is ready to run, but other programs have the processors, does not count. So a busy machine
/// fails nothing. If the system does not tell, real time counts.
package struct PlayClock {
  /// When it began, in milliseconds.
  let start: Int
  /// The time that counts so far, in milliseconds.
  private var counted = 0
  /// When the work was last looked at.
  private var latest: Int?
  /// The processor time that each process had then, by its number.
  private var ran: [pid_t: Int] = [:]

  /// A look that comes late shows no more waiting than this, in milliseconds: then the process that looks was kept from
  /// running, too.
  private static let mostWaiting = 100
  /// The longest time between two looks, in milliseconds.
  private static let longestInterval = 50

  /// - Parameter start: when it began, in milliseconds.
  package init(start: Int) {
    self.start = start
  }

  /// Returns whether the limit is over. All times are in milliseconds.
  ///
  /// - Parameters:
  ///   - limit: the time that may count.
  ///   - now: the present time.
  ///   - look: tells of the processes that do the work, by their numbers; with `false`, of the first alone is enough.
  ///     It is not called in the first tenth of the limit, which counts as a whole: most work is done by then.
  /// - Returns: whether it is over.
  mutating func isOver(
    limit: Int,
    at now: Int,
    look: (_ atAll: Bool) -> [pid_t: ProcessActivity]
  ) -> Bool {
    guard now - start >= limit / 10 else { return false }
    guard let before = latest else {
      counted = now - start
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

  /// Notes the processor times, and returns by how much the one grew that grew most.
  private mutating func note(_ processes: [pid_t: ProcessActivity]) -> Int {
    let growth = processes.map { $1.ran - (ran[$0] ?? 0) }.max() ?? 0
    ran.merge(processes.mapValues(\.ran)) { $1 }
    return growth
  }

  /// Returns whether the limit is over for a process and all that it has started.
  mutating func isOver(limit: Int, at now: Int, process: pid_t) -> Bool {
    isOver(limit: limit, at: now) { atAll in
      if atAll { return ProcessActivity.ofTree(process) }
      return ProcessActivity.of(process).map { [process: $0] } ?? [:]
    }
  }

  /// Returns whether the limit is over for a thread of this process.
  package mutating func isOver(limit: Int, at now: Int, thread: Int32) -> Bool {
    isOver(limit: limit, at: now) { _ in
      ProcessActivity.ofThread(thread).map { [thread: $0] } ?? [:]
    }
  }
}
