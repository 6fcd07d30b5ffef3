extension Stage {
  /// Why a driving call returned.
  public enum Stop: Sendable, Equatable {
    /// Nothing is ready, and nobody sleeps.
    case idle
    /// The instant asked for; something may be left for later.
    case reached
    /// A bound, before that.
    case bound(Bound)
    /// Somebody called `interrupt`.
    case interrupted
  }

  /// A bound that was reached, and where.
  public struct Bound: Sendable, Equatable, CustomStringConvertible {
    /// Which bound it was, and how high.
    public enum Limit: Sendable, Equatable {
      /// So many jobs ran at one instant, and there are more: tasks that yield to each other forever.
      case jobsAtOneInstant(Int)
      /// So many instants were visited, and there are more: an endless poll.
      case instants(Int)
      /// So much time has passed, and somebody sleeps for longer.
      case time(within: Duration)
    }

    /// The bound.
    public let limit: Limit
    /// The stage's time when it was reached.
    public let at: StageInstant
    /// What was left over then.
    public let pending: Pending

    /// The bound and what is left over, as a clause: `more than 1000 jobs at 2s: 2 ready`.
    public var description: String {
      switch limit {
      case .jobsAtOneInstant(let jobs): "more than \(jobs) jobs at \(at): \(pending)"
      case .instants(let instants): "more than \(instants) instants by \(at): \(pending)"
      case .time(let duration): "still waiting after \(duration), at \(at): \(pending)"
      }
    }
  }

  /// What is left over.
  public struct Pending: Sendable, Equatable, CustomStringConvertible {
    /// Jobs that could run now.
    public let readyJobs: Int
    /// Who waits for an instant, the earliest first; at most `listed` of them.
    public let sleepers: [Sleeper]
    /// How many wait for an instant.
    public let sleeperCount: Int
    /// Operations outside the stage that are in flight.
    public let outsideOperations: Int

    /// How many sleepers are listed.
    public static let listed = 100

    /// Whether nothing is left over.
    public var isEmpty: Bool { readyJobs == 0 && sleeperCount == 0 && outsideOperations == 0 }

    /// One who waits for an instant.
    public struct Sleeper: Sendable, Hashable {
      /// The instant of waking.
      public let until: StageInstant
      /// By which means it waits.
      public let kind: Kind

      /// The means by which somebody can wait for an instant.
      public enum Kind: Sendable, Hashable {
        /// A task in `Task.sleep`, or in a sleep on `ContinuousClock` or `SuspendingClock`.
        case taskSleep
        /// A task in a sleep on the stage's clock.
        case stageClock
        /// A closure given to `schedule`.
        case closure
      }
    }

    /// What is left over, in one line: `1 ready, 3 asleep, the first until 2.5s`.
    public var description: String {
      var parts: [String] = []
      if readyJobs > 0 { parts.append("\(readyJobs) ready") }
      if let first = sleepers.first {
        parts.append("\(sleeperCount) asleep, the first until \(first.until)")
      }
      if outsideOperations > 0 { parts.append("\(outsideOperations) outside") }
      return parts.isEmpty ? "nothing left over" : parts.joined(separator: ", ")
    }
  }

  /// How a recorded list of choices did not fit the run it was given to.
  public enum Misfit: Sendable, Hashable {
    /// The list names a job that was not there; the last one that was ran instead.
    case absent(choice: Int, among: Int, position: Int)
    /// The run ended, or has come, no further than this; the rest of the list was not used.
    case unused(from: Int, of: Int)
  }
}
