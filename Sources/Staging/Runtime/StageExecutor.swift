import CVirtualTime
import Synchronization

/// The queue, the sleepers and the time of one stage. Not public: a public type cannot conform to the
/// toolchain's `SchedulingExecutor`.
///
/// Everything but `registry`, `inbox` and the time, which others may ask, belongs to the one thread that drives the stage.
final class StageExecutor: TaskExecutor, @unchecked Sendable {
  let registry: TaskRegistry
  let inbox: Inbox
  let address: StageAddress
  /// Outside operations in flight: while there are any, time stands still.
  let outsideCount = Atomic<Int>(0)
  /// The runtime's numbers of the tasks that wait for outside operations, and how many each waits for.
  let outsideTasks = Mutex<[UInt64: Int]>([:])
  /// The stage that callers know this by. It outlives this reference, or replaces it when it goes.
  unowned(unsafe) var handle: Stage?

  private let clock: UnsafeMutablePointer<Atomic<Int64>>
  let isDriven = Atomic<Bool>(false)
  /// Whether a guest of the host runs, which is no job.
  let isHosting = Atomic<Bool>(false)
  private var shelf = -1

  // Unchecked exclusivity: each is touched by one method at a time, none of which calls out meanwhile.
  @exclusivity(unchecked) var ready = Ring<ReadyJob>()
  @exclusivity(unchecked) var sleepers = Sleepers()
  /// Alarms that are due at this instant, in an order that is being chosen.
  @exclusivity(unchecked) var due = Ring<Alarm>()
  /// Jobs of sleeps that were cancelled: they do nothing, at the time they would have woken somebody.
  var stale = SleepHeap()
  var staleJobs: [UInt64: UnownedJob] = [:]
  @exclusivity(unchecked) var chooser: Chooser
  /// Picks instead of the chooser.
  private(set) var scheduler: (any JobScheduler)?
  private(set) var schedulerWantsSteps: Bool
  /// Whether the job that runs has said that it only moves a task on.
  var claimsMove = false
  /// The tasks that have let others go first, by the number of the step that lets each go on. Kept while somebody
  /// decides; a step that is over leaves its entry, which the next step of the same number replaces.
  var yields: [UInt64: UInt64] = [:]
  /// The tasks that are not over, if somebody wants to know.
  var tasks: UnfinishedTasks?
  /// What code on the stage has given to Dispatch, until somebody takes it.
  var submissions = NotedSubmissions()
  /// Actions of other threads on tasks of the stage, if it has a scheduler.
  var interventions: [Intervention] = []
  /// Number of jobs that the stage has run, counted only where a step may be a move.
  @exclusivity(unchecked) var jobsRun: UInt64 = 0
  /// Whether each hop is a job, because somebody chooses what comes next.
  private(set) var hopsAreApart = false
  @exclusivity(unchecked) var hops = Hops()
  @exclusivity(unchecked) var trace: ExecutionTrace?
  var isClosed = false
  /// The tasks that `run` made, to be cancelled when the stage closes.
  var cancelRoots: [@Sendable () -> Void] = []
  /// Those who look when nothing is left to do at an instant.
  var watches: [WatchReference] = []
  /// Whether main-actor code runs. Of that which is no job the runtime knows nothing.
  @exclusivity(unchecked) private(set) var isOnMain = false

  private let mainExecutor: UnownedSerialExecutor
  private(set) var isFirstInFirstOut: Bool

  init(order: Stage.Order, scheduler: (any JobScheduler)? = nil, keepsTrace: Bool) {
    NotedSubmission.noting
    UnfinishedTasks.noting
    registry = TaskRegistry(first: Runtime.newestTaskNumber())
    address = StageAddress(registry: registry)
    inbox = address.inbox
    mainExecutor = MainActor.sharedUnownedExecutor  // The routing one, in place by now.
    chooser = Chooser(order)
    self.scheduler = scheduler
    schedulerWantsSteps = scheduler?.wantsSteps == true
    isFirstInFirstOut = scheduler == nil && chooser.isFirstInFirstOut
    trace = keepsTrace ? ExecutionTrace() : nil
    clock = .allocate(capacity: 1)
    clock.initialize(to: Atomic(0))
    shelf = StageRegistry.enter(address)
    hopsAreApart = !isFirstInFirstOut && Runtime.canKeepHopsApart
  }

  /// Has somebody else choose from now on; nil gives the choice back.
  func schedule(by scheduler: (any JobScheduler)?) {
    self.scheduler = scheduler
    schedulerWantsSteps = scheduler?.wantsSteps == true
    isFirstInFirstOut = scheduler == nil && chooser.isFirstInFirstOut
    hopsAreApart = !isFirstInFirstOut && Runtime.canKeepHopsApart
    yields = [:]
    hops = Hops()
    // They were taken out to be chosen from; in order, they are looked for where all others are.
    if isFirstInFirstOut { putBackDue() }
  }

  deinit {
    StageRegistry.leave(address, shelf: shelf)
    clock.deallocate()
  }

  // MARK: Time and thread

  var nanoseconds: Int64 {
    get { clock.pointee.load(ordering: .relaxed) }
    set { clock.pointee.store(newValue, ordering: .relaxed) }
  }

  static var current: StageExecutor? {
    cvt_current_stage().map { Unmanaged<StageExecutor>.fromOpaque($0).takeUnretainedValue() }
  }

  var isCurrent: Bool { cvt_current_stage() == Unmanaged.passUnretained(self).toOpaque() }

  /// Makes this the stage of the calling thread for as long as `body` takes.
  func occupyThread<T>(onMain: Bool, _ body: () throws -> T) rethrows -> T {
    let outer = occupyThread(onMain: onMain)
    defer { leaveThread(to: outer) }
    return try body()
  }

  /// Makes this the stage of the calling thread.
  ///
  /// - Returns: what `leaveThread` restores.
  func occupyThread(onMain: Bool) -> (thread: cvt_thread, wasOnMain: Bool) {
    let thread = cvt_thread(
      stage: Unmanaged.passUnretained(self).toOpaque(),
      nanoseconds: UnsafeMutableRawPointer(clock).assumingMemoryBound(to: Int64.self),
      probe: nil
    )
    defer { isOnMain = onMain }
    return (cvt_exchange(thread), isOnMain)
  }

  func leaveThread(to outer: (thread: cvt_thread, wasOnMain: Bool)) {
    isOnMain = outer.wasOnMain
    _ = cvt_exchange(outer.thread)
  }

  /// Runs `body` as on a thread that runs no stage.
  static func leavingThread<T>(_ body: () throws -> T) rethrows -> T {
    let before = cvt_exchange(cvt_thread(stage: nil, nanoseconds: nil, probe: nil))
    defer { _ = cvt_exchange(before) }
    return try body()
  }

  /// Runs `body`, which runs jobs. One at a time, and not from within a job.
  func drive<T>(_ body: () -> T) -> T {
    let wasDriven = isDriven.exchange(true, ordering: .acquiring)
    precondition(
      !wasDriven,
      "A stage is driven by one thread at a time, and not from within its own jobs."
    )
    defer { isDriven.store(false, ordering: .releasing) }
    return occupyThread(onMain: false, body)
  }

  // MARK: Jobs that come in

  func enqueue(_ job: consuming ExecutorJob) {
    accept(UnownedJob(job), onMain: false)
  }

  /// Takes a job from any thread.
  func accept(_ job: UnownedJob, onMain: Bool) {
    guard isCurrent else { return inbox.post(.job(job, onMain: onMain)) }
    remember(job)
    append(ReadyJob(job, onMain: onMain))
  }

  /// Takes a job that this thread makes or wakes, unless its task is older than the stage.
  func adopt(_ job: UnownedJob, onMain: Bool) -> Bool {
    let task = Runtime.taskNumber(of: job)
    if !registry.containsHere(task), Runtime.isTask(job) {
      if registry.isOlder(task) { return false }
      registry.insert(task)
      tasks?.insert(job)
    }
    trace?.meet(task)
    let job = ReadyJob(job, onMain: onMain)
    if scheduler != nil, Runtime.isContinuation(job.job) { noteYield(by: job.id) }
    append(job)
    return true
  }

  private func append(_ job: ReadyJob) {
    if job.isActor { hops.hasMetActors = true }
    ready.append(job)
  }

  /// Tells who decides that the running task lets others go first, until a step with this number lets it go on.
  func noteYield(by step: UInt64) {
    guard let scheduler, let task = Runtime.currentTaskNumber() else { return }
    yields[step] = task
    scheduler.hasYielded(task: task)
  }

  /// Remembers a task of the stage.
  func remember(_ job: UnownedJob) {
    let task = Runtime.taskNumber(of: job)
    if !registry.containsHere(task), Runtime.isTask(job) {
      registry.insert(task)
      tasks?.insert(job)
    }
    trace?.meet(task)
  }

  // MARK: Running one thing

  func run(_ ready: ReadyJob) {
    if trace != nil { trace?.note(ready, at: nanoseconds) }
    jobsRun &+= 1
    if ready.onMain {
      isOnMain = true
      ready.job.runSynchronously(on: mainExecutor)
      isOnMain = false
    } else {
      ready.job.runSynchronously(on: Runtime.genericExecutor)
    }
    tasks?.finish(ready.job.address)
  }

  func wake(_ sleeper: Sleeper, sequence: UInt64) {
    if trace != nil { trace?.note(sleeper, sequence: sequence, at: nanoseconds) }
    switch sleeper {
    case .free, .reserved:
      break
    case .task(let task):
      task.wake()
    case .runtime(let sleep):
      jobsRun &+= 1
      sleep.job.runSynchronously(on: Runtime.genericExecutor)
    case .outside(let sleep):
      sleep.end(throwing: nil)
    case .scheduled(let scheduled):
      guard let body = scheduled.take() else { break }
      onMain { assumingMainActor(body) }
    }
  }

  /// Runs main-actor code that is no job.
  func onMain(_ body: () -> Void) {
    isOnMain = true
    defer { isOnMain = false }
    body()
  }
}

/// Calls main-actor code from where the main actor is known to be held.
package func assumingMainActor<T>(_ body: @MainActor () throws -> T) rethrows -> T {
  try withoutActuallyEscaping(body) { body in
    try unsafeBitCast(body, to: (() throws -> T).self)()
  }
}
