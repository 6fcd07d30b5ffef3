/// Picks what a stage does next if it could do several things. It belongs to the thread that
/// drives the stage.
package protocol JobScheduler: AnyObject {
  /// Which of several steps, at least two, comes next.
  func choose(_ turn: Turn) -> Int

  /// Which of several values that code leaves open is taken, from 0.
  func choose(among count: Int) -> Int

  /// How long something takes that begins `start` after the present instant.
  ///
  /// - Parameters:
  ///   - range: the shortest and the longest duration.
  ///   - drawn: the default; nil for the shortest.
  ///   - start: from when the duration counts.
  ///   - stage: the stage of the code that asks.
  /// - Returns: a duration of the range, or the default.
  func choose(
    _ range: ClosedRange<Duration>,
    drawn: Duration?,
    from start: Duration,
    on stage: Stage
  ) -> Duration

  /// Tells the scheduler that it cannot choose all values of the next choice: some lie between two steps of a range, or
  /// beyond its ends.
  func willLeaveValuesOut()

  /// Registers values that code on the stage leaves open. At the end of the run `values` returns them as text, and
  /// whether the run asked for each.
  func addOpenValues(_ values: @escaping () -> [(text: String, isAsked: Bool)])

  /// Whether it wants to hear of every step, also of those that nobody had to choose; asked once.
  var wantsSteps: Bool { get }

  /// The running task lets others go first: by `Task.yield()`, or by a sleep that ends at this instant.
  func hasYielded(task: UInt64)

  /// A step comes next.
  func willDo(_ choice: Int, _ turn: Turn)

  /// What it was, now that it has been done; `wasChosen` where there were others.
  func hasDone(_ step: Step, wasChosen: Bool)

  /// Somebody depends on what has moved tasks on that have not run since: moves matter after all.
  ///
  /// - Parameter onlyClaimed: whether it is about those only that have claimed to be one.
  func movesMatter(onlyClaimed: Bool)
}

extension JobScheduler {
  package func hasYielded(task: UInt64) {}
  package func movesMatter(onlyClaimed: Bool) {}
  package func willLeaveValuesOut() {}
  package func addOpenValues(_ values: @escaping () -> [(text: String, isAsked: Bool)]) {}

  package func choose(among count: Int) -> Int { 0 }

  package func choose(
    _ range: ClosedRange<Duration>,
    drawn: Duration?,
    from start: Duration,
    on stage: Stage
  ) -> Duration { drawn ?? range.lowerBound }
}

/// What a stage could do now: run one of the ready jobs, run a message of an actor before its first one, or wake
/// one of the sleepers that are due, counted in this order. Valid only while the stage asks.
package struct Turn {
  // Unmanaged: whoever decides looks at every step that is possible, and counting references would take half
  // of the time.
  private let executor: Unmanaged<StageExecutor>
  private let readyJobs: Int
  /// Number of ready jobs and messages.
  package let jobs: Int
  /// Number of possible steps.
  package let count: Int

  init(executor: StageExecutor) {
    self.executor = .passUnretained(executor)
    readyJobs = executor.ready.count
    jobs = readyJobs + executor.hops.alternatives.count
    count = jobs + executor.due.count
  }

  /// The job that a step runs, one of the first `jobs`: for an actor, its message.
  private func job(_ index: Int) -> UnownedJob {
    executor._withUnsafeGuaranteedRef {
      guard index < readyJobs else { return $0.hops.alternatives[index - readyJobs].message }
      let ready = $0.ready[index]
      guard $0.hopsAreApart, let mailbox = Mailbox(of: ready) else { return ready.job }
      return Hops.first(of: mailbox) ?? ready.job
    }
  }

  /// Whether a step wakes a task and does nothing else.
  package func isWaking(_ index: Int) -> Bool {
    executor._withUnsafeGuaranteedRef {
      guard index < jobs else { return $0.sleepers.onlyWakes($0.due[index - jobs]) }
      return index < readyJobs && Runtime.isContinuation($0.ready[index].job)
    }
  }

  /// Whether a step runs main-actor code.
  package func isOnMain(_ index: Int) -> Bool {
    guard index < jobs else { return !isWaking(index) }
    return index < readyJobs && executor._withUnsafeGuaranteedRef { $0.ready[index].onMain }
  }

  /// Whether a step runs code of an actor, the main actor included.
  package func isOnActor(_ index: Int) -> Bool {
    guard index < readyJobs else { return index < jobs || !isWaking(index) }
    return executor._withUnsafeGuaranteedRef {
      $0.ready[index].onMain || $0.ready[index].isActor
    }
  }

  /// The runtime's number of the task that a step continues; nil for closures and for what is no task. Only
  /// to be compared within a run: it depends on what else the process does.
  package func task(_ index: Int) -> UInt64? {
    guard let job = index < jobs ? job(index) : sleepingTask(index), Runtime.isTask(job) else {
      return nil
    }
    return Runtime.taskNumber(of: job)
  }

  private func sleepingTask(_ index: Int) -> UnownedJob? {
    executor._withUnsafeGuaranteedRef { $0.sleepers.task(of: $0.due[index - jobs]) }
  }

  /// The task that a step lets go on after it has let others go first; nil for all other steps.
  package func yieldedTask(_ index: Int) -> UInt64? {
    executor._withUnsafeGuaranteedRef {
      // A task may have the address that a continuation had before.
      if $0.yields.isEmpty || index < jobs && !isWaking(index) { return nil }
      return $0.yields[id(index)]
    }
  }

  /// A number for a step that stays the same as long as the step is possible, and that no other possible step has.
  package func id(_ index: Int) -> UInt64 {
    executor._withUnsafeGuaranteedRef {
      index < jobs ? UInt64(job(index).address) : $0.due[index - jobs].id
    }
  }

  /// The time of the stage, in nanoseconds.
  package var nanoseconds: Int64 { executor._withUnsafeGuaranteedRef { $0.nanoseconds } }

  /// Whether the task behind a ready job is cancelled.
  package func isCancelled(_ index: Int) -> Bool {
    let job = job(index)
    return Runtime.isTask(job) && Runtime.isCancelled(job)
  }
}

/// What has moved a task on.
package enum Move {
  /// Nothing of its code ran.
  case waking
  /// Some of its code did.
  case running
  /// A job that has said so: nobody depends on what else it does before that task goes on.
  case claim
}

/// What doing one thing came to.
package enum Step {
  /// It only moved a task on, from a sleep or from one executor to another: the task is ready again, and nothing
  /// else has changed that the stage knows of.
  case moved(task: UInt64, by: Move)
  /// Code ran.
  case ran
}
