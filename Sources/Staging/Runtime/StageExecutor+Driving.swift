import CVirtualTime
import Synchronization

/// Decides the order of jobs and sleepers, when time moves on, and which steps are independent.
extension StageExecutor {
  // MARK: At one instant

  /// Runs the jobs and sleepers that are due now, until none is left.
  ///
  /// - Returns: nil if nothing is left to do at this instant; otherwise the reason for stopping
  ///   earlier.
  func runInstant(limit: Int) -> Stage.Stop? {
    // The order stays the same until the driving call returns.
    if isFirstInFirstOut { return runInstant(limit: limit, runFirst) }
    if let scheduler { return runInstant(limit: limit) { runScheduled(by: scheduler) } }
    return runInstant(limit: limit, runChosen)
  }

  /// Runs steps with `runNext`, which returns false if there is none.
  @inline(__always)
  private func runInstant(limit: Int, _ runNext: () -> Bool) -> Stage.Stop? {
    while true {
      if inbox.isRinging {
        inbox.answerPing()
        if inbox.takeInterruption() { return .interrupted }
        // Other threads send jobs at any moment. If a scheduler chooses, these jobs must not change the number of
        // possible steps, so they wait until no other step is left.
        if isFirstInFirstOut || !hasWorkNow() { acceptMessages() }
      }
      if jobsLeft == 0, hasWorkNow() { return .bound(report(.jobsAtOneInstant(limit))) }
      if runNext() {
        jobsLeft -= 1
        // The other thread takes over.
        if mustLeave { return .interrupted }
      } else if !lookAround() {
        return nil
      }
    }
  }

  /// Whether work is left at this instant; with `besidesMain`, other work than that of the main actor.
  func hasWorkNow(besidesMain: Bool = false) -> Bool {
    hasStartable(besidesMain: besidesMain) || !due.isEmpty
      || (sleepers.first()?.at).map { $0 <= nanoseconds } == true
  }

  /// Runs the next ready job or, if there is none, wakes the next due sleeper. All jobs that follow
  /// from a sleeper run before the next sleeper wakes, unless it has waited too long.
  private func runFirst() -> Bool {
    if sleepers.mayBeDue(at: nanoseconds), haveSleepersWaited, wakeFirst() { return true }
    if threads != nil, mayNotRunAll {
      wakeUnlocked()
      return runFirstStartable()
    }
    if let job = ready.popFirst() {
      run(job)
      return true
    }
    return wakeFirst()
  }

  /// Whether due sleepers come before ready jobs, because no sleeper has woken for 1,000 steps. Otherwise tasks that
  /// wait for one in a loop, such as by `Task.yield()`, would delay it forever.
  var haveSleepersWaited: Bool { jobsLeftAtWake - jobsLeft >= 1_000 }

  /// Whether some ready jobs may have to wait for a blocked thread.
  var mayNotRunAll: Bool { threads?.blocked.isEmpty == false }

  private func runFirstStartable() -> Bool {
    for index in 0..<ready.count where canRun(ready[index]) {
      ready.moveToFront(index)
      if let job = ready.popFirst() { run(job) }
      return true
    }
    return wakeFirst()
  }

  private func hasStartable(besidesMain: Bool) -> Bool {
    guard mayNotRunAll || besidesMain else { return ready.count > 0 }
    return (0..<ready.count).contains { canRun(ready[$0]) && !(besidesMain && ready[$0].onMain) }
  }

  private func canRun(_ job: ReadyJob) -> Bool {
    if let block = job.block { return dispatching.canRun(block) }
    return !job.onMain || threads.map { $0.holdingMain == 0 } != false
  }

  /// Finds the ready jobs that may run, if a block is among them or a thread is blocked.
  func findStartable() {
    guard let dispatch, dispatch.readyBlocks > 0 || mayNotRunAll else {
      startable = nil
      return
    }
    startable = (0..<ready.count).filter { canRun(ready[$0]) }
  }

  /// Wakes the next due sleeper.
  private func wakeFirst() -> Bool {
    guard sleepers.mayBeDue(at: nanoseconds), let alarm = sleepers.first(),
      alarm.at <= nanoseconds
    else { return false }
    return popAndWake()
  }

  private func popAndWake() -> Bool {
    guard let alarm = sleepers.popFirst(), let sleeper = sleepers.take(alarm) else { return false }
    sleepers.fetchNext()
    jobsLeftAtWake = jobsLeft
    wake(sleeper, sequence: alarm.sequence)
    return true
  }

  /// Runs one of the possible steps: ready jobs, then due sleepers.
  private func runChosen() -> Bool {
    if mayNotRunAll { wakeUnlocked() }
    gatherDue()
    findStartable()
    findAlternatives()
    let turn = Turn(executor: self)
    if turn.count == 0 { return false }
    perform(turn.count == 1 ? 0 : chooser.pick(among: turn.count), of: turn)
    return true
  }

  private func runScheduled(by scheduler: any JobScheduler) -> Bool {
    if mayNotRunAll { wakeUnlocked() }
    gatherDue()
    findStartable()
    findAlternatives()
    let turn = Turn(executor: self)
    if turn.count == 0 { return false }
    let choice = turn.count == 1 ? 0 : scheduler.choose(turn)
    if schedulerWantsSteps { scheduler.willDo(choice, turn) }
    if schedulerWantsEnds {
      let before = schedulerUsesEffects ? Before(turn, choice, self) : nil
      (claimsMove, hasSharedEffect) = (false, false)
      let switches = switches
      isStepOpen = true
      stepWasChosen = turn.count > 1
      perform(choice, of: turn)
      if isStepOpen {
        isStepOpen = false
        let effect = before.map { switches == self.switches ? step(since: $0) : .ran } ?? .ran
        scheduler.hasDone(effect, wasChosen: stepWasChosen)
      }
    } else {
      perform(choice, of: turn)
    }
    return true
  }

  /// Runs one of the possible steps of the present instant.
  func perform(_ choice: Int, of turn: Turn) {
    switch turn.place(choice) {
    case .ready(let place):
      if hopsAreApart { runApart(place) } else { run(ready.remove(at: place)) }
    case .message(let number):
      let alternative = hops.alternatives[number]
      runApart(alternative.place, message: alternative.message)
    case .sleeper(let number):
      wakeApart(due.remove(at: number))
    }
  }

  private func wakeApart(_ alarm: Alarm) {
    hops.end()
    jobsLeftAtWake = jobsLeft
    let onlyWakes = sleepers.onlyWakes(alarm)
    guard let sleeper = sleepers.take(alarm) else { return }
    if onlyWakes {
      wakeApart { wake(sleeper, sequence: alarm.sequence) }
    } else {
      wake(sleeper, sequence: alarm.sequence)
    }
  }

  /// The state of the stage before a step.
  private struct Before {
    /// Whether the step may prove independent: it runs no code of an actor.
    let mayMove: Bool
    let isOnMain: Bool
    let isWaking: Bool
    /// The task that it resumes, if known.
    let task: UInt64?
    /// Number of other ready jobs.
    let others: Int
    let sleepers: UInt64
    /// Number of messages in mailboxes; nil if the step cannot be a hop of a running task.
    let messages: Int?
    /// Counts of the thread's calls into the runtime.
    let calls = cvt_current_calls()
    let jobsRun: UInt64
    let dueClosuresCancelled: Int

    @inline(__always)
    init(_ turn: Turn, _ choice: Int, _ stage: StageExecutor) {
      sleepers = stage.sleepers.lastSequence
      jobsRun = stage.jobsRun
      dueClosuresCancelled = stage.dueClosuresCancelled
      let isNonisolated: Bool
      switch turn.place(choice) {
      case .ready(let place):
        let ready = stage.ready[place]
        task = stage.task(of: ready)
        (isWaking, isOnMain) = (task == nil && ready.isContinuation, ready.onMain)
        isNonisolated = !ready.onMain && !ready.isActor && !ready.isBlock
        others = stage.ready.count - 1
      case .message:
        task = turn.task(choice)
        (isWaking, isOnMain, isNonisolated) = (false, false, false)
        others = stage.ready.count
      case .sleeper(let number):
        task = turn.task(choice)
        isWaking = stage.sleepers.onlyWakes(stage.due[number])
        (isOnMain, isNonisolated) = (!isWaking, false)
        others = stage.ready.count
      }
      mayMove = isWaking || task != nil && isNonisolated
      messages = mayMove && !isWaking ? stage.waitingMessages() : nil
    }
  }

  /// Returns the effect of a step, found by comparing the state before and after: it is a move if a
  /// task went to another executor or into a sleep, and nothing else changed.
  private func step(since before: Before) -> Step {
    guard before.mayMove || claimsMove || before.isOnMain, !hasSharedEffect,
      !hasActedOnOthers(since: before)
    else { return .ran }
    if !before.mayMove, !claimsMove { return effectOnMain(since: before) }
    // A message that the step put into another mailbox keeps its position there.
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
      // With a blocked thread, only a job that may run is a move.
      if startable != nil, !canRun(ready[place]) { return .ran }
      // The continuation of a yield is no task; it resumes the task that has run.
      let moved =
        ready[place].isContinuation ? before.task : task(of: ready[place])
      guard let moved else { return .ran }
      if claimsMove { return .moved(task: moved, by: .claim) }
      guard moved == before.task ?? moved else { return .ran }
      return .moved(task: moved, by: before.isWaking ? .waking : .running)
    default:
      return .ran
    }
  }

  /// Returns the effect of a step that ran code of the main actor.
  private func effectOnMain(since before: Before) -> Step {
    guard let task = before.task else { return .ran }
    switch (ready.count - before.others, sleepers.lastSequence - before.sleepers) {
    case (0, 0) where !hops.hasEnteredMailbox: return .quiet(task: task, continues: false)
    case (0, 1) where !hops.hasEnteredMailbox: return .quiet(task: task, continues: true)
    case (1, 0):
      let place = hops.continuation == nil ? before.others : 0
      let isOwn = self.task(of: ready[place]) == task
      return isOwn ? .quiet(task: task, continues: true) : .ran
    default: return .ran
    }
  }

  /// Returns whether a step had an effect that no job shows: it cancelled tasks or a closure that
  /// could have run instead, ran a job on an executor that runs jobs at once, or gave work to
  /// another thread.
  private func hasActedOnOthers(since before: Before) -> Bool {
    let calls = cvt_current_calls()
    return calls.cancellations != before.calls.cancellations
      || calls.jobs &- before.calls.jobs > jobsRun &- before.jobsRun
      || calls.submissions != before.calls.submissions
      || dueClosuresCancelled != before.dueClosuresCancelled
  }

  /// Collects the due sleepers, without those that were cancelled since.
  func gatherDue() { gatherDue(at: nanoseconds) }

  /// Collects the sleepers that are due at an instant.
  func gatherDue(at instant: Int64) {
    if sleepers.hasLost, !due.isEmpty {
      due.filter { alarm in
        if sleepers.isAwaited(alarm) { return true }
        _ = sleepers.take(alarm)
        return false
      }
    }
    guard sleepers.mayBeDue(at: instant) else { return }
    while let alarm = sleepers.first(), alarm.at <= instant {
      _ = sleepers.popFirst()
      due.append(alarm)
    }
  }

  /// Puts the due sleepers back into the heap, in order.
  func putBackDue() {
    while let alarm = due.popFirst() { sleepers.putBack(alarm) }
  }

  // MARK: From instant to instant

  /// Returns the next instant with something to do, after now; nil if there are no sleepers.
  ///
  /// A cancelled `Task.sleep` leaves its job in the heap. Such jobs are set aside, and time does
  /// not advance for them.
  func nextInstant() -> Int64? {
    while let alarm = sleepers.first() {
      if sleepers.isPointless(alarm) {
        _ = sleepers.popFirst()
        _ = sleepers.take(alarm)
        continue
      }
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
    jobsLeft = limitOfJobs
    jobsLeftAtWake = limitOfJobs
    nanoseconds = max(nanoseconds, instant)
    while let alarm = stale.first, alarm.at <= nanoseconds { runStale() }
  }

  /// Runs the job of a cancelled sleep, which releases its memory and wakes no task.
  func runStale() {
    guard let alarm = stale.popFirst() else { return }
    staleJobs.removeValue(forKey: alarm.sequence)?.runSynchronously(on: Runtime.genericExecutor)
  }

  /// Runs everything up to and including `target`, instant by instant; without a target, until
  /// nothing is left to do.
  func runInstants(to target: Int64?, _ limits: Stage.Limits) -> Stage.Stop {
    while true {
      if let stop = finishInstant(limits) { return stop }
      guard let next = nextInstant() else { return .idle }
      if let target, next > target { return .reached }
      if instantsLeft == 0 { return .bound(report(.instants(limits.instants))) }
      instantsLeft -= 1
      move(to: next)
    }
  }

  /// Runs instant by instant until `isDone` returns true, or nothing is left to do. For the thread that stands in for a
  /// blocked one.
  func runUntil(_ isDone: () -> Bool) -> Bool {
    while !isDone(), !mustLeave {
      // As in `runInstant`.
      if inbox.isRinging, isFirstInFirstOut || !hasWorkNow() { acceptMessages() }
      if isFirstInFirstOut ? runFirst() : scheduler.map(runScheduled) ?? runChosen() { continue }
      if lookAround() || waitForOtherThreads() { continue }
      guard let next = nextInstant(), instantsLeft > 0 else { return isDone() }
      instantsLeft -= 1
      move(to: next)
    }
    return isDone()
  }

  /// Runs everything at the next instant that has something to do, which may be this one.
  func runNextInstant(_ limits: Stage.Limits) -> Stage.Stop {
    acceptMessages()
    let hadWork = hasWorkNow() || outsideCount.load(ordering: .acquiring) > 0
    if let stop = finishInstant(limits) { return stop }
    if hadWork { return .reached }
    guard let next = nextInstant() else { return .idle }
    move(to: next)
    return finishInstant(limits) ?? .reached
  }

  /// Runs everything that is due now, including jobs that arrive from outside while time stands
  /// still.
  private func finishInstant(_ limits: Stage.Limits) -> Stage.Stop? {
    while true {
      if let stop = runInstant(limit: limits.jobsAtOneInstant) { return stop }
      guard limits.waitsForOutside else { return nil }
      if outsideCount.load(ordering: .acquiring) > 0 {
        inbox.wait()
      } else if !waitForOtherThreads() {
        return nil
      }
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
      // A job that waits for a blocked thread cannot run.
      readyJobs: mayNotRunAll ? (0..<ready.count).count { canRun(ready[$0]) } : ready.count,
      sleepers: listed,
      sleeperCount: count,
      outsideOperations: outsideCount.load(ordering: .acquiring)
    )
  }
}

extension Sleeper {
  /// Nil for a sleeper that no longer waits.
  fileprivate var pendingKind: Stage.Pending.Sleeper.Kind? {
    switch self {
    case .free, .reserved: nil
    case .task, .outside: .stageClock
    case .runtime(let sleep): sleep.isOver ? nil : .taskSleep
    case .scheduled: .closure
    }
  }
}
