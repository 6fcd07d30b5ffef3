extension Stage {
  /// How many jobs may run at one instant, and how many instants may be visited, before a driving call
  /// that says nothing else gives up.
  public static let defaultLimit = 1_000_000

  /// How far a driving call may go.
  struct Limits {
    let jobsAtOneInstant: Int
    let instants: Int
    let waitsForOutside: Bool
  }

  /// Runs what is due now, and what comes of it, without moving time or waiting.
  ///
  /// - Parameter limit: how many jobs at most.
  /// - Returns: `.idle` when nothing is left at all, `.reached` when something is left for later.
  @discardableResult
  public func runReady(limit: Int = defaultLimit) -> Stop {
    executor.drive {
      if let stop = executor.runInstant(limit: limit) { return stop }
      return executor.nextInstant() == nil ? .idle : .reached
    }
  }

  /// Runs all of the next instant that has something to do: this one if it has, or else the next one
  /// that somebody sleeps for.
  ///
  /// - Returns: `.idle` when there was nothing to do, now or later.
  @discardableResult
  public func step(limit: Int = defaultLimit) -> Stop {
    executor.drive { executor.runNextInstant(limits(limit)) }
  }

  /// Lets so much time pass, and runs what is due on the way at its instants, what is due at the end
  /// included.
  ///
  /// - Parameters:
  ///   - duration: how much; nothing if negative.
  ///   - limit: how many jobs at one instant, and how many instants, at most.
  ///   - waitingForOutside: whether time stands still, and the thread waits, while an operation outside
  ///     of the stage is in flight. A host that lets the stage follow real time says no.
  /// - Returns: `.reached` when all of it has passed.
  @discardableResult
  public func advance(
    by duration: Duration,
    limit: Int = defaultLimit,
    waitingForOutside: Bool = true
  ) -> Stop {
    executor.drive {
      let target = executor.nanoseconds.saturatingAdding(max(0, duration.nanosecondsRoundedUp))
      let limits = limits(limit, waitingForOutside: waitingForOutside)
      switch executor.runInstants(to: target, limits) {
      case .idle, .reached:
        executor.move(to: target)
        return .reached
      case let stop:
        return stop
      }
    }
  }

  /// Runs until nothing is left to do.
  ///
  /// - Parameters:
  ///   - duration: after how much time to give up, nil for never. What is due at its end still runs.
  ///   - limit: how many jobs at one instant, and how many instants, at most.
  /// - Returns: `.idle` when nothing is left.
  @discardableResult
  public func settle(within duration: Duration? = nil, limit: Int = defaultLimit) -> Stop {
    executor.drive {
      let target = duration.map {
        executor.nanoseconds.saturatingAdding(max(0, $0.nanosecondsRoundedUp))
      }
      let stop = executor.runInstants(to: target, limits(limit))
      guard stop == .reached, let target, let duration else { return stop }
      executor.move(to: target)
      return .bound(executor.report(.time(within: duration)))
    }
  }

  /// Stops the driving call that runs, or else the next one, between two jobs. For any thread, and for
  /// signal handlers.
  public func interrupt() { executor.inbox.interrupt() }

  /// Ends the stage: wakes those who sleep by cancelling them, and runs what comes of it. Time stands
  /// still. A sleep that begins later on the stage's clock fails at once.
  ///
  /// - Parameter limit: how many jobs at most.
  /// - Returns: `.idle`, or the bound when there were more jobs.
  @discardableResult
  public func close(limit: Int = 100_000) -> Stop {
    executor.drive { executor.close(limit: limit) }
  }

  // MARK: For a host that follows real time

  /// The next instant that somebody sleeps for, nil when nobody does. For the thread that drives the stage.
  public var nextInstant: StageInstant? {
    executor.occupyThread(onMain: false) {
      executor.openLetters()
      return executor.nextInstant().map { StageInstant(nanoseconds: $0) }
    }
  }

  /// A file descriptor that is readable while another thread has something for this stage, or somebody
  /// has interrupted it. To be polled, never read: `runReady` takes what there is.
  public var wakeDescriptor: Int32 { executor.inbox.descriptor }

  private func limits(_ limit: Int, waitingForOutside: Bool = true) -> Limits {
    Limits(jobsAtOneInstant: limit, instants: limit, waitsForOutside: waitingForOutside)
  }
}
