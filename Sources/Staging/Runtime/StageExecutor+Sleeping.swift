import Synchronization

/// Begins and ends sleeps and scheduled closures, and accepts the messages of other threads.
extension StageExecutor {
  // MARK: The stage's own clock

  /// Reserves a slot for a sleep that is about to begin on this thread.
  func reservePlace() -> SleeperID { sleepers.reserve() }

  func park(
    _ continuation: UnsafeContinuation<Void, any Error>,
    in place: SleeperID,
    until deadline: Int64
  ) {
    guard
      sleepers.park(.task(SuspendedTask(continuation)), in: place, at: max(deadline, nanoseconds))
    else {
      return continuation.resume(throwing: CancellationError())
    }
    if scheduler != nil, deadline <= nanoseconds { noteYield(by: Alarm.id(place.sequence)) }
  }

  /// Ends a sleep because its task was cancelled. For any thread.
  func cancelSleep(_ place: SleeperID) {
    guard isCurrent else { return inbox.post(.cancel(place)) }
    cancelSleepHere(place)
  }

  private func cancelSleepHere(_ place: SleeperID) {
    guard case .task(let task)? = sleepers.cancel(place) else { return }
    task.cancel()
  }

  // MARK: Closures

  func schedule(_ scheduled: Scheduled) {
    guard isCurrent else {
      if !address.isOpen.load(ordering: .acquiring) {
        StageExecutor.current?.noteUnvaried { .workAfterEnd($0) }
      }
      return inbox.post(.schedule(scheduled))
    }
    scheduleHere(scheduled)
  }

  private func scheduleHere(_ scheduled: Scheduled) {
    guard !isClosed else {
      scheduled.take()
      return
    }
    scheduled.random = childStream()
    let instant = max(scheduled.instant.nanoseconds, nanoseconds)
    scheduled.place = sleepers.add(.scheduled(scheduled), at: instant)
  }

  /// Cancels a scheduled closure. For any thread.
  func unschedule(_ scheduled: Scheduled) {
    guard isCurrent else { return inbox.post(.unschedule(scheduled)) }
    unscheduleHere(scheduled)
  }

  private func unscheduleHere(_ scheduled: Scheduled) {
    guard let place = scheduled.place else { return }
    scheduled.place = nil
    if sleepers.cancel(place) != nil, scheduled.instant.nanoseconds <= nanoseconds {
      dueClosuresCancelled += 1
    }
    scheduled.take()
  }

  // MARK: Task.sleep

  /// Keeps a job of `Task.sleep` until its instant, together with the sleeping task, which is the
  /// running one.
  func keep(_ job: UnownedJob, for delay: Duration) {
    let sleeping = withUnsafeCurrentTask { $0 }
    let instant = nanoseconds.saturatingAdding(max(0, delay.nanosecondsRoundedUp))
    trace?.meet(Runtime.taskNumber(of: job))
    let sleep = RuntimeSleep(job: job, sleeping: Runtime.isTask(job) ? sleeping : nil)
    let place = sleepers.add(.runtime(sleep), at: instant)
    if scheduler != nil, instant == nanoseconds { noteYield(by: Alarm.id(place.sequence)) }
    if isClosed { sleep.cancel() }
  }

  // MARK: From other threads

  /// Accepts the messages of other threads. Called between jobs, and before the queue is read.
  func acceptMessages() {
    for message in inbox.takeMessages() {
      switch message {
      case .job(let job, let onMain):
        noteResumption(of: job)
        accept(job, onMain: onMain)
      case .actor(let job, let name):
        intervene(.sharedActor(name))
        accept(job, onMain: false)
      case .sleeper(let sleep): begin(sleep)
      case .wake(let sleep): if let place = sleep.place { _ = sleepers.cancel(place) }
      case .cancel(let place): cancelSleepHere(place)
      case .schedule(let scheduled): scheduleHere(scheduled)
      case .unschedule(let scheduled): unscheduleHere(scheduled)
      case .call(let body): body(self)
      }
    }
  }

  private func begin(_ sleep: OutsideSleep) {
    if isClosed { return sleep.end(throwing: CancellationError()) }
    guard !sleep.isOver else { return }
    sleep.place = sleepers.add(.outside(sleep), at: max(sleep.deadline, nanoseconds))
  }
}
