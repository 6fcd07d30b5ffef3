extension Stage {
  /// The reason why a driving call returned.
  public enum Stop: Sendable, Equatable {
    /// Nothing is ready, and there are no sleepers.
    case idle
    /// The requested instant was reached; something may be left for later.
    case reached
    /// A limit was reached before that.
    case bound(Bound)
    /// `interrupt` was called.
    case interrupted
  }

  /// A limit that was reached, and the state at that moment.
  public struct Bound: Sendable, Equatable, CustomStringConvertible {
    /// The kind of limit, with its value.
    public enum Limit: Sendable, Equatable {
      /// This number of jobs ran at one instant, and more are ready: for example, tasks that yield
      /// to each other forever.
      case jobsAtOneInstant(Int)
      /// This number of instants passed, and there are more: for example, an endless poll.
      case instants(Int)
      /// This duration has passed, and there are later sleepers.
      case time(within: Duration)
    }

    /// The limit.
    public let limit: Limit
    /// The stage's time when it was reached.
    public let at: StageInstant
    /// The work that was left.
    public let pending: Pending

    /// The limit and the work left, as a clause: `more than 1000 jobs at 2s: 2 ready`.
    public var description: String {
      switch limit {
      case .jobsAtOneInstant(let jobs): "more than \(jobs) jobs at \(at): \(pending)"
      case .instants(let instants): "more than \(instants) instants by \(at): \(pending)"
      case .time(let duration): "still waiting after \(duration), at \(at): \(pending)"
      }
    }
  }

  /// Work that is left on a stage.
  public struct Pending: Sendable, Equatable, CustomStringConvertible {
    /// Jobs that could run now.
    public let readyJobs: Int
    /// The sleepers, the earliest first; at most `listed` of them.
    public let sleepers: [Sleeper]
    /// Number of sleepers.
    public let sleeperCount: Int
    /// Operations outside the stage that are in flight.
    public let outsideOperations: Int

    /// Maximum number of listed sleepers.
    public static let listed = 100

    /// Whether no work is left.
    public var isEmpty: Bool { readyJobs == 0 && sleeperCount == 0 && outsideOperations == 0 }

    /// A task or closure that waits for an instant.
    public struct Sleeper: Sendable, Hashable {
      /// The instant of waking.
      public let until: StageInstant
      /// How it waits.
      public let kind: Kind

      /// The ways to wait for an instant.
      public enum Kind: Sendable, Hashable {
        /// A task in `Task.sleep`, or in a sleep on `ContinuousClock` or `SuspendingClock`.
        case taskSleep
        /// A task in a sleep on the stage's clock.
        case stageClock
        /// A closure given to `schedule`.
        case closure
      }
    }

    /// The work left, in one line: `1 ready, 3 asleep, the first until 2.5s`.
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

  /// How a recorded list of choices does not fit the run.
  public enum Misfit: Sendable, Hashable {
    /// The list names a job that was not ready; the last ready job ran instead.
    case absent(choice: Int, among: Int, position: Int)
    /// The run ended, or is now, at this choice; the rest of the list was not used.
    case unused(from: Int, of: Int)
  }
}
