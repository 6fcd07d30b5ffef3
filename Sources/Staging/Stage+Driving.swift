/// Drives a stage: `runReady`, `step`, `advance`, `settle`, `interrupt` and `close`, with their limits.
extension Stage {
  /// Default limit of a driving call: number of jobs at one instant, and number of instants.
  public static let defaultLimit = 1_000_000

  /// The limits of a driving call.
  struct Limits {
    let jobsAtOneInstant: Int
    let instants: Int
    let waitsForOutside: Bool

    static let `default` = Limits(
      jobsAtOneInstant: defaultLimit,
      instants: defaultLimit,
      waitsForOutside: true
    )
  }

  /// Runs everything that is due now, and all jobs that follow from it, without moving time or
  /// waiting.
  ///
  /// - Parameter limit: maximum number of jobs.
  /// - Returns: `.idle` if nothing is left at all, `.reached` if something is left for later.
  @discardableResult
  public func runReady(limit: Int = defaultLimit) -> Stop {
    executor.drive(limits(limit)) { [executor] in
      if let stop = executor.runInstant(limit: limit) { return stop }
      return executor.nextInstant() == nil ? .idle : .reached
    }
  }

  /// Runs everything at the next instant that has something to do: this instant, or the next one
  /// with a sleeper.
  ///
  /// - Returns: `.idle` if there was nothing to do, now or later.
  @discardableResult
  public func step(limit: Int = defaultLimit) -> Stop {
    let limits = limits(limit)
    return executor.drive(limits) { [executor] in executor.runNextInstant(limits) }
  }

  /// Advances time by a duration. Everything that is due on the way, or at the end, runs at its
  /// instant.
  ///
  /// - Parameters:
  ///   - duration: the duration; none if negative.
  ///   - limit: maximum number of jobs at one instant, and of instants.
  ///   - waitingForOutside: whether time stands still, and the thread waits, while an operation
  ///     outside of the stage is in flight. Pass false if the stage follows real time.
  /// - Returns: `.reached` if the whole duration has passed.
  @discardableResult
  public func advance(
    by duration: Duration,
    limit: Int = defaultLimit,
    waitingForOutside: Bool = true
  ) -> Stop {
    let target = executor.nanoseconds.saturatingAdding(max(0, duration.nanosecondsRoundedUp))
    let limits = limits(limit, waitingForOutside: waitingForOutside)
    return executor.drive(limits) { [executor] in
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
  ///   - duration: the time limit; nil for none. Everything that is due at its end still runs.
  ///   - limit: maximum number of jobs at one instant, and of instants.
  /// - Returns: `.idle` if nothing is left.
  @discardableResult
  public func settle(within duration: Duration? = nil, limit: Int = defaultLimit) -> Stop {
    let target = duration.map {
      executor.nanoseconds.saturatingAdding(max(0, $0.nanosecondsRoundedUp))
    }
    let limits = limits(limit)
    return executor.drive(limits) { [executor] in
      let stop = executor.runInstants(to: target, limits)
      guard stop == .reached, let target, let duration else { return stop }
      executor.move(to: target)
      return .bound(executor.report(.time(within: duration)))
    }
  }

  /// Stops the current driving call, or the next one if none is running, between two jobs. For any
  /// thread, and for signal handlers.
  public func interrupt() { executor.inbox.interrupt() }

  /// Ends the stage: cancels all sleeps, and runs the jobs that follow. Time stands still. A sleep
  /// that begins later on the stage's clock fails at once.
  ///
  /// - Parameter limit: maximum number of jobs.
  /// - Returns: `.idle`, or the bound if there were more jobs.
  @discardableResult
  public func close(limit: Int = 100_000) -> Stop {
    let stop = executor.drive { [executor] in executor.close(limit: limit) }
    executor.threads?.end()
    executor.threads = nil
    return stop
  }

  // MARK: For a host that follows real time

  /// The next instant with a sleeper; nil if there are no sleepers. For the thread that drives the
  /// stage.
  public var nextInstant: StageInstant? {
    executor.occupyThread(onMain: false) {
      executor.acceptMessages()
      return executor.nextInstant().map { StageInstant(nanoseconds: $0) }
    }
  }

  /// A file descriptor that is readable while another thread has sent a message to this stage or
  /// interrupted it. Poll it, never read it: `runReady` accepts the messages.
  public var wakeDescriptor: Int32 { executor.inbox.descriptor }

  private func limits(_ limit: Int, waitingForOutside: Bool = true) -> Limits {
    Limits(jobsAtOneInstant: limit, instants: limit, waitsForOutside: waitingForOutside)
  }
}
