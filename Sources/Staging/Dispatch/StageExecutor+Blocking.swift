import CVirtualTime
import LibC
import Synchronization

/// Blocks a thread of a stage in a call, lets other work run meanwhile, and wakes it.
extension StageExecutor {
  /// The state of a thread's step, kept while it is blocked.
  struct StepState {
    let isOnMain: Bool
    let running: RunningBlock?
    let random: RandomStream
  }

  func leaveStep() -> StepState {
    endStep()
    switches &+= 1
    let state = StepState(
      isOnMain: isOnMain,
      running: dispatch?.current,
      random: random.current
    )
    dispatch?.current = nil
    setOnMain(false)
    return state
  }

  func enterStep(_ state: StepState) {
    setOnMain(state.isOnMain)
    dispatch?.current = state.running
    random.current = state.random
  }

  /// Blocks the calling thread until the wait has an outcome.
  func block(_ wait: BlockedThread) {
    if isClosed {
      wait.outcome = .timedOut
      return
    }
    let threads = threads ?? StageThreads(self)
    self.threads = threads
    // It looks at what other threads do.
    _ = dispatching
    address.addWaits(1)
    threads.block(wait)
    address.addWaits(-1)
    if let alarm = wait.alarm, wait.outcome == .deadlock {
      move(to: alarm.instant.nanoseconds)
      wait.outcome = .timedOut
    }
    wait.alarm?.cancel()
    wait.alarm = nil
    if wait.outcome == .deadlock { noteDeadlock(wait) }
  }

  /// Makes the present moment of the running code a scheduling point: on a stage that chooses the next step, other jobs
  /// may run before the calling thread continues.
  func letOthersRun() {
    guard !isFirstInFirstOut, !isClosed, !cvt_is_uninterruptible() else { return }
    wakeUnlocked()
    guard hasWorkNow(besidesMain: isOnMain) else { return }
    let thread = threads?.running
    let wait = BlockedThread(.sleep, call: "", of: thread, holdsMain: isOnMain)
    // The host's thread waits for the outcome; a thread of the stage waits for its turn.
    if thread != nil { wait.outcome = .signalled }
    // In the default schedule the calling thread continues at once, as in a plain session.
    dispatching.enqueueFirst(dispatching.makeBlock(.thread(wait), on: nil))
    block(wait)
  }

  /// Makes a call of a lock function a scheduling point if the tested code made it.
  ///
  /// - Parameter frame: the frame of the lock function.
  func preempt(at frame: UnsafeRawPointer) {
    guard isDriven.load(ordering: .relaxed), LockCaller.isTested(at: frame) else { return }
    letOthersRun()
  }

  /// Blocks the calling thread until `wake`, or until a deadline.
  ///
  /// - Returns: whether it was woken.
  func block(_ cause: BlockedThread.Cause, call: String, until deadline: Int64?) -> Bool {
    let runsLoop = cause == .runLoop || cause == .test
    let holdsMain = isOnMain && !runsLoop
    let wait = BlockedThread(cause, call: call, of: threads?.running, holdsMain: holdsMain)
    noteWaitOfTest(wait.frames)
    if let deadline {
      guard deadline > nanoseconds || cause == .sleep || runsLoop else { return false }
      wait.alarm = dispatching.schedule(at: deadline) { [unowned self] in wake(wait, .timedOut) }
    }
    noteThreads(neededBy: wait)
    block(wait)
    return wait.outcome == .signalled
  }

  /// Notes that a program may have too few threads for a wait: the thread of a task is blocked, or those of many blocks are.
  func noteThreads(neededBy wait: BlockedThread) {
    if wait.cause == .test || isOnMain { return }
    if Runtime.currentTask() != nil {
      noteUnvaried { .blockedTask(call: wait.call, $0) }
    } else if let threads, threads.blocked.count(where: { $0.isOfBlock }) >= Self.mostThreads {
      noteUnvaried { .blockedQueues(call: wait.call, $0) }
    }
  }

  /// Number of threads that run blocks of Dispatch at the same time on every platform.
  private static let mostThreads = 64

  func wake(_ wait: BlockedThread, _ outcome: BlockedThread.Outcome) {
    guard wait.outcome == nil else { return }
    wait.outcome = outcome
    if wait.thread != nil { dispatching.enqueue(dispatching.makeBlock(.thread(wait), on: nil)) }
  }

  func isWaiting(for cause: BlockedThread.Cause) -> Bool {
    threads?.blocked.contains { $0.cause == cause && $0.outcome == nil } == true
  }

  func wakeFirst(_ cause: BlockedThread.Cause) -> Bool {
    guard let wait = threads?.blocked.first(where: { $0.cause == cause && $0.outcome == nil })
    else {
      return false
    }
    wake(wait, .signalled)
    return true
  }

  func wakeAll(_ cause: BlockedThread.Cause) { while wakeFirst(cause) {} }

  /// Wakes the threads that wait for work items which have been performed.
  func wakePerformed() {
    for wait in threads?.blocked ?? [] where wait.outcome == nil {
      guard case .workItem(let item) = wait.cause else { continue }
      if WorkItem.isPerformed(item) { wake(wait, .signalled) }
    }
  }

  /// Wakes the threads that wait for locks which no blocked thread has.
  func wakeUnlocked() {
    for wait in threads?.blocked ?? [] where wait.outcome == nil {
      guard let holder = wait.lockHolder, holder() == nil else { continue }
      cvt_count_submission()
      wake(wait, .signalled)
    }
  }

  /// Notes that the calling thread waits for a lock that it has.
  func noteLockedTwice(_ lock: UnsafeMutableRawPointer) {
    let wait = BlockedThread(
      .lock(lock),
      call: Self.callForLock,
      of: threads?.running,
      holdsMain: false
    )
    wait.remarks = ["the same thread has locked it before"]
    noteDeadlock(wait)
  }

  private static let callForLock = "a wait for a lock"

  /// Waits for a lock while a blocked thread of the stage has it.
  ///
  /// - Returns: nil if no such thread has it, or if the calling thread has it.
  func waitForLock(
    _ lock: UnsafeMutableRawPointer,
    _ owner: @escaping () -> Int32,
    until deadline: Int64?
  ) -> BlockedThread.Outcome? {
    guard !isClosed, let threads else { return nil }
    let holder = { [unowned threads] in threads.holder(of: lock, owner()) }
    guard holder() != nil else { return nil }
    let wait = BlockedThread(
      .lock(lock),
      call: Self.callForLock,
      of: threads.running,
      holdsMain: isOnMain
    )
    wait.lockHolder = holder
    if let deadline {
      wait.alarm = dispatching.schedule(at: deadline) { [unowned self] in wake(wait, .timedOut) }
    }
    // An interrupted thread continues in a program, and releases its lock.
    if holder()?.isInterrupted == false { noteThreads(neededBy: wait) }
    block(wait)
    return wait.outcome
  }

  /// Wakes the threads whose waits another thread may have ended.
  func wakeByOutside(isSignalled: Bool) {
    for wait in threads?.blocked ?? [] where wait.outcome == nil {
      switch wait.cause {
      case .semaphore(let semaphore):
        if cvt_semaphore_try(semaphore) { wake(wait, .signalled) }
      case .group(let group):
        if cvt_group_is_empty(group) { wake(wait, .signalled) }
      // A wait for a condition may end early, but not without end at one instant.
      case .condition: if isSignalled { wake(wait, .signalled) }
      case .lock, .workItem, .queue, .sleep, .runLoop, .test: break
      }
    }
  }

  /// Waits for another thread to end a blocking call, in real time: nothing on the stage can end it, but a thread that
  /// the stage does not know can. A call that no thread ended before is not waited for again.
  ///
  /// - Returns: whether there is something to do.
  func waitForOtherThreads() -> Bool {
    guard nextInstant() == nil, let threads else { return false }
    let waits = threads.blocked.filter { wait in
      guard wait.outcome == nil, wait.mayEndOutside else { return false }
      return wait.cause == .test ? !submissions.isEmpty : !wait.isHopeless
    }
    guard !waits.isEmpty else { return false }
    if waitForOtherThreads(until: { waits.contains { $0.outcome != nil } }) { return true }
    for wait in waits where wait.cause != .test { wait.giveUp() }
    return false
  }

  /// Waits in real time until another thread gives the stage something to do, or `isOver` returns true.
  ///
  /// - Returns: whether this happened within the patience of a stage.
  func waitForOtherThreads(until isOver: () -> Bool) -> Bool {
    var patience = OutsidePatience(isGreat: !submissions.isEmpty)
    while patience.lasts {
      guard inbox.wait(atMost: OutsidePatience.slice) else {
        patience.countIdleLook()
        continue
      }
      // Pings, and signals that end no wait, are no reason to wait longer.
      inbox.answerPing()
      if inbox.isInterrupted { return true }
      acceptMessages()
      let isLonger = outsideCount.load(ordering: .acquiring) > 0 || nextInstant() != nil
      if isLonger || hasWorkNow() || isOver() { return true }
    }
    return false
  }

  func noteDeadlock(_ wait: BlockedThread) {
    cvt_count_submission()
    // XCTest waits for the end of a test. If other calls block that test, they are the reason.
    let calls = wait.cause == .test ? threads?.blocked.filter { $0.outcome == nil } ?? [] : []
    for wait in calls.isEmpty ? [wait] : calls where deadlocks.count < NotedSubmissions.most {
      wait.isReported = true
      wait.remarks = remarks(on: wait)
      deadlocks.append(wait)
    }
  }

  /// Where the group was entered that a thread waits for, and the jobs that wait until it leaves the main actor.
  fileprivate func remarks(on wait: BlockedThread) -> [String] {
    var remarks = wait.remarks
    if case .group(let group) = wait.cause { remarks = dispatch?.places(ofGroup: group) ?? [] }
    if let holder = wait.lockHolder?() {
      let place = StackFunction.frames(at: holder.frames).first.map { " in \($0)" } ?? ""
      remarks = ["the thread that has the lock waits in \(holder.call)\(place)"]
    }
    guard wait.holdsMain else { return remarks }
    let held = (0..<ready.count).map { ready[$0] }.filter { $0.onMain && !$0.isBlock }
    return remarks
      + held.prefix(Self.mostHeld).map { job in
        let task = TaskLayout.address(job.job)
        let label = tasks?.label(of: job.job) ?? "a task"
        let place = StackFunction.frames(at: TaskLayout.resumeAddresses(task)).first
        let origin = tasks?.origin(of: job.job)
        let text = place.map { " in \($0)" } ?? origin.map { ", created in \($0)," } ?? ""
        return "meanwhile, \(label)\(text) waits for the main actor"
      }
  }

  private static let mostHeld = 10

  // MARK: Steps

  /// Ends the step of the scheduler that began last, if it has not ended.
  func endStep() {
    guard isStepOpen else { return }
    isStepOpen = false
    scheduler?.hasDone(.ran, wasChosen: stepWasChosen)
  }

  /// Returns one of several values that the running code leaves open.
  func chooseValue(among count: Int) -> Int {
    if let scheduler { return scheduler.choose(among: count) }
    return isFirstInFirstOut ? 0 : chooser.pick(among: count)
  }
}

/// How long a stage waits for threads that it does not know.
///
/// Not a length of real time: on a busy machine another thread may be ready to run and not run for seconds. So the limit
/// is a number of looks at which no other thread of the process was ready, or an amount of processor time.
private struct OutsidePatience {
  /// Milliseconds between two looks.
  static let slice: Int32 = 10

  private let most: Int
  private let start = ProcessActivity.besidesThisThread().ran
  private var idleLooks = 0

  /// - Parameter isGreat: whether work was submitted that may end the wait.
  init(isGreat: Bool) { most = isGreat ? 500 : 100 }

  var lasts: Bool {
    idleLooks <= most && ProcessActivity.besidesThisThread().ran - start < most * Int(Self.slice)
  }

  /// Counts a look that found nothing, unless another thread is ready to run.
  mutating func countIdleLook() {
    if !ProcessActivity.besidesThisThread().isReady { idleLooks += 1 }
  }
}

extension Stage {
  /// Waits, in real time, for threads outside of the stage to which its code has given work. For the thread that drives
  /// the stage, when nothing is left to do.
  ///
  /// - Returns: whether there is something to do.
  package func waitForSubmittedWork() -> Bool {
    guard !executor.submissions.isEmpty else { return false }
    return executor.occupyThread(onMain: false) { executor.waitForOtherThreads { false } }
  }

  /// Returns the blocking calls since the last call that nothing on the stage could end, so that they returned without a
  /// result: `DispatchSemaphore.wait in Model.load() blocks its thread forever`. Each place once. For the thread that
  /// drives the stage.
  public func takeDeadlocks() -> [String] { takeDeadlockedCalls().map(\.text) }

  /// The calls of `takeDeadlocks`, with their stacks.
  package func takeDeadlockedCalls() -> [BlockedCall] {
    let waits = executor.deadlocks
    executor.deadlocks = []
    return executor.unreported(waits.map(\.blockedCall))
  }

  /// Returns the threads of the stage that wait in a blocking call, and the queues and groups whose blocks cannot run.
  /// Each place once. For the thread that drives the stage, when nothing is left to do.
  public func takeBlocked() -> [String] { takeBlockedCalls().map(\.text) }

  /// The calls of `takeBlocked`, with their stacks.
  package func takeBlockedCalls() -> [BlockedCall] {
    let waits = (executor.threads?.blocked ?? []).filter { $0.outcome == nil && !$0.isReported }
    for wait in waits {
      wait.isReported = true
      wait.remarks = executor.remarks(on: wait)
    }
    return executor.unreported(waits.map(\.blockedCall) + executor.unreachable)
  }

  /// The calls that block threads of the stage now, and the queues and groups whose blocks cannot run.
  package var blockedCalls: [BlockedCall] {
    (executor.threads?.blocked ?? []).filter { $0.outcome == nil }.map(\.blockedCall)
      + executor.unreachable
  }
}

extension StageExecutor {
  fileprivate func unreported(_ calls: [BlockedCall]) -> [BlockedCall] {
    calls.filter { reportedBlocks.insert($0.text).inserted }
  }

  fileprivate var unreachable: [BlockedCall] {
    dispatch?.unreachable ?? []
  }
}
