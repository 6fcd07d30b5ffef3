import CVirtualTime
import Synchronization

extension StageExecutor {
  // MARK: At one instant

  /// Runs what is due now, until nothing is.
  ///
  /// - Returns: nil when nothing is left to do at this instant, or why it stopped before.
  func runInstant(limit: Int) -> Stage.Stop? {
    // Who chooses stays the same until the driving call returns.
    if isFirstInFirstOut { return runInstant(limit: limit, runFirst) }
    if let scheduler { return runInstant(limit: limit) { runScheduled(by: scheduler) } }
    return runInstant(limit: limit, runChosen)
  }

  /// The same, where `runNext` runs one thing, and is false where there is none.
  @inline(__always)
  private func runInstant(limit: Int, _ runNext: () -> Bool) -> Stage.Stop? {
    var left = limit
    while true {
      if inbox.isRinging {
        inbox.answerKnock()
        if inbox.takeInterruption() { return .interrupted }
        // Other threads send jobs at any moment. If a scheduler chooses, these jobs must not change the number of
        // possible steps, so they wait until no other step is left.
        if isFirstInFirstOut || !hasWorkNow() { openLetters() }
      }
      if left == 0, hasWorkNow() { return .bound(report(.jobsAtOneInstant(limit))) }
      if runNext() {
        left -= 1
      } else if !lookAround() {
        return nil
      }
    }
  }

  func hasWorkNow() -> Bool {
    ready.count > 0 || !due.isEmpty || (sleepers.first()?.at).map { $0 <= nanoseconds } == true
  }

  /// The next ready job, or else the next sleeper that is due. A sleeper's consequences come before
  /// the next sleeper.
  private func runFirst() -> Bool {
    if let job = ready.popFirst() {
      run(job)
      return true
    }
    guard sleepers.mayBeDue(at: nanoseconds), let alarm = sleepers.first(),
      alarm.at <= nanoseconds
    else { return false }
    return popAndWake()
  }

  private func popAndWake() -> Bool {
    guard let alarm = sleepers.popFirst(), let sleeper = sleepers.take(alarm) else { return false }
    sleepers.fetchNext()
    wake(sleeper, sequence: alarm.sequence)
    return true
  }

  /// One of the ready jobs and of the sleepers that are due, in this order.
  private func runChosen() -> Bool {
    gatherDue()
    findAlternatives()
    let count = Turn(executor: self).count
    if count == 0 { return false }
    perform(count == 1 ? 0 : chooser.pick(among: count))
    return true
  }

  private func runScheduled(by scheduler: any JobScheduler) -> Bool {
    gatherDue()
    findAlternatives()
    let turn = Turn(executor: self)
    if turn.count == 0 { return false }
    let choice = turn.count == 1 ? 0 : scheduler.choose(turn)
    if schedulerWantsSteps {
      scheduler.willDo(choice, turn)
      let before = Before(turn, choice, self, messages: waitingMessages)
      claimsMove = false
      perform(choice)
      scheduler.hasDone(step(since: before), wasChosen: turn.count > 1)
    } else {
      perform(choice)
    }
    return true
  }

  private func perform(_ choice: Int) {
    let jobs = ready.count + hops.alternatives.count
    if choice < jobs {
      return hopsAreApart ? runApart(choice) : run(ready.remove(at: choice))
    }
    hops.end()
    let alarm = due.remove(at: choice - jobs)
    let onlyWakes = sleepers.onlyWakes(alarm)
    guard let sleeper = sleepers.take(alarm) else { return }
    if onlyWakes {
      wakeApart { wake(sleeper, sequence: alarm.sequence) }
    } else {
      wake(sleeper, sequence: alarm.sequence)
    }
  }

  /// The state before a step.
  private struct Before {
    /// Whether the step may turn out to be only a move: it runs no code of an actor.
    let mayMove: Bool
    let isWaking: Bool
    /// The task that it continues, if that is known.
    let task: UInt64?
    /// Number of other ready jobs.
    let others: Int
    let sleepers: UInt64
    /// Number of messages in mailboxes; nil if the step cannot be only a move of a running task.
    let messages: Int?
    /// Counts of the thread's calls of the runtime, and of the jobs that the stage has run.
    let calls = cvt_current_calls()
    let jobsRun: UInt64

    init(_ turn: Turn, _ choice: Int, _ stage: StageExecutor, messages: () -> Int) {
      let readyJobs = stage.ready.count
      sleepers = stage.sleepers.lastSequence
      jobsRun = stage.jobsRun
      task = turn.task(choice)
      isWaking = turn.isWaking(choice)
      mayMove = isWaking || task != nil && !turn.isOnActor(choice)
      others = choice < readyJobs ? readyJobs - 1 : readyJobs
      self.messages = mayMove && !isWaking ? messages() : nil
    }
  }

  /// What a step did, by what it left: a task that has gone to another executor or into a sleep, and nothing else.
  private func step(since before: Before) -> Step {
    guard before.mayMove || claimsMove, !hasActedOnOthers(since: before) else { return .ran }
    // Another message that the step put into a mailbox has its place there from now on.
    if !claimsMove, let messages = before.messages,
      waitingMessages() != messages + (hops.hasEnteredMailbox ? 1 : 0)
    {
      return .ran
    }
    switch (ready.count - before.others, sleepers.lastSequence - before.sleepers) {
    case (0, 1):
      guard !claimsMove, let task = before.task else { return .ran }
      return .moved(task: task, by: .running)
    case (0, 0):
      guard hops.hasJoinedMailbox, let task = before.task else { return .ran }
      return .moved(task: task, by: claimsMove ? .claim : .running)
    case (1, 0):
      let place = hops.continuation == nil ? before.others : 0
      // That of a yield is no task; it stands for the one that has run.
      let isYield = Runtime.isContinuation(ready[place].job)
      guard let moved = isYield ? before.task : Turn(executor: self).task(place) else {
        return .ran
      }
      if claimsMove { return .moved(task: moved, by: .claim) }
      guard moved == before.task ?? moved else { return .ran }
      return .moved(task: moved, by: before.isWaking ? .waking : .running)
    default:
      return .ran
    }
  }

  /// Whether a step had an effect that no job shows: it cancelled tasks, ran a job on an executor that runs jobs at
  /// once, or gave work to another thread.
  private func hasActedOnOthers(since before: Before) -> Bool {
    let calls = cvt_current_calls()
    return calls.cancellations != before.calls.cancellations
      || calls.jobs &- before.calls.jobs > jobsRun &- before.jobsRun
      || calls.submissions != before.calls.submissions
  }

  /// Brings together those that are due, without those that were cancelled since.
  private func gatherDue() {
    if sleepers.hasLost, !due.isEmpty {
      due.filter { alarm in
        if sleepers.isAwaited(alarm) { return true }
        _ = sleepers.take(alarm)
        return false
      }
    }
    guard sleepers.mayBeDue(at: nanoseconds) else { return }
    while let alarm = sleepers.first(), alarm.at <= nanoseconds {
      _ = sleepers.popFirst()
      due.append(alarm)
    }
  }

  /// Lets those that are due wait in the heap again, in their places.
  func putBackDue() {
    while let alarm = due.popFirst() { sleepers.putBack(alarm) }
  }

  // MARK: From instant to instant

  /// The next instant with something to do, after now; nil when nobody sleeps.
  ///
  /// A `Task.sleep` that was cancelled has left its job behind. Such jobs are put aside; no time passes
  /// for their sake.
  func nextInstant() -> Int64? {
    while let alarm = sleepers.first() {
      guard case .runtime(let sleep)? = sleepers.sleeper(of: alarm), sleep.isOver else {
        return alarm.at
      }
      _ = sleepers.popFirst()
      _ = sleepers.take(alarm)
      staleJobs[alarm.sequence] = sleep.job
      stale.push(alarm)
    }
    return nil
  }

  func move(to instant: Int64) {
    nanoseconds = max(nanoseconds, instant)
    while let alarm = stale.first, alarm.at <= nanoseconds { runStale() }
  }

  /// Lets the job of a cancelled sleep free what it holds. It wakes nobody.
  func runStale() {
    guard let alarm = stale.popFirst() else { return }
    staleJobs.removeValue(forKey: alarm.sequence)?.runSynchronously(on: Runtime.genericExecutor)
  }

  /// Runs everything up to and including `target`, instant by instant; without one, for as long as there
  /// is anything to do.
  func runInstants(to target: Int64?, _ limits: Stage.Limits) -> Stage.Stop {
    var visited = 0
    while true {
      if let stop = finishInstant(limits) { return stop }
      guard let next = nextInstant() else { return .idle }
      if let target, next > target { return .reached }
      if visited == limits.instants { return .bound(report(.instants(visited))) }
      visited += 1
      move(to: next)
    }
  }

  /// Runs all of the next instant that has something to do, this one included.
  func runNextInstant(_ limits: Stage.Limits) -> Stage.Stop {
    openLetters()
    let hadWork = hasWorkNow() || outsideCount.load(ordering: .acquiring) > 0
    if let stop = finishInstant(limits) { return stop }
    if hadWork { return .reached }
    guard let next = nextInstant() else { return .idle }
    move(to: next)
    return finishInstant(limits) ?? .reached
  }

  /// Runs what is due now, also what comes from outside while time has to stand still.
  private func finishInstant(_ limits: Stage.Limits) -> Stage.Stop? {
    while true {
      if let stop = runInstant(limit: limits.jobsAtOneInstant) { return stop }
      guard limits.waitsForOutside, outsideCount.load(ordering: .acquiring) > 0 else { return nil }
      inbox.wait()
    }
  }

  // MARK: What is left

  func report(_ limit: Stage.Bound.Limit) -> Stage.Bound {
    Stage.Bound(limit: limit, at: StageInstant(nanoseconds: nanoseconds), pending: pending())
  }

  func pending() -> Stage.Pending {
    var alarms = sleepers.alarms
    for index in 0..<due.count { alarms.push(due[index]) }
    alarms.removeAll { sleepers.sleeper(of: $0)?.pendingKind == nil }
    let count = alarms.count
    var listed: [Stage.Pending.Sleeper] = []
    while listed.count < Stage.Pending.listed, let alarm = alarms.popFirst() {
      guard let kind = sleepers.sleeper(of: alarm)?.pendingKind else { continue }
      listed.append(Stage.Pending.Sleeper(until: StageInstant(nanoseconds: alarm.at), kind: kind))
    }
    return Stage.Pending(
      readyJobs: ready.count,
      sleepers: listed,
      sleeperCount: count,
      outsideOperations: outsideCount.load(ordering: .acquiring)
    )
  }
}

extension Sleeper {
  /// Nil for what waits for nothing any more.
  fileprivate var pendingKind: Stage.Pending.Sleeper.Kind? {
    switch self {
    case .free, .reserved: nil
    case .task, .outside: .stageClock
    case .runtime(let sleep): sleep.isOver ? nil : .taskSleep
    case .scheduled: .closure
    }
  }
}
