import CVirtualTime
import Synchronization

/// The queue, the sleepers and the time of one stage. Not public: a public type cannot conform to
/// the toolchain's `SchedulingExecutor`.
///
/// Used only on the thread that drives the stage, except `registry`, `inbox` and the time, which
/// other threads may read.
final class StageExecutor: TaskExecutor, @unchecked Sendable {
  let registry: TaskRegistry
  let inbox: Inbox
  let address: StageAddress
  /// Number of outside operations in flight. Time stands still while there are any.
  let outsideCount = Atomic<Int>(0)
  /// Whether the stage waits for requests of its code, or answers them: an outside operation has begun, or a session has
  /// mock answers.
  var knowsRequests = false
  /// The runtime's numbers of the tasks that wait for outside operations, with the number of
  /// operations of each.
  let outsideTasks = Mutex<[UInt64: Int]>([:])
  /// The `Stage` of this executor. It outlives the executor, or replaces itself here when it is
  /// released.
  unowned(unsafe) var handle: Stage?

  private let clock: UnsafeMutablePointer<Atomic<Int64>>
  let isDriven = Atomic<Bool>(false)
  /// Whether code of the host runs that is no job.
  let isHosting = Atomic<Bool>(false)
  private var shelf = -1

  // Unchecked exclusivity: one method at a time accesses each of these, and calls no other code
  // meanwhile.
  @exclusivity(unchecked) var ready = Ring<ReadyJob>()
  @exclusivity(unchecked) var sleepers = Sleepers()
  /// Alarms that are due at this instant, in an order that the stage still chooses.
  @exclusivity(unchecked) var due = Ring<Alarm>()
  /// Jobs of cancelled sleeps. They run at the instants at which they would have woken a task, and
  /// have no effect.
  var stale = SleepHeap()
  var staleJobs: [UInt64: UnownedJob] = [:]
  @exclusivity(unchecked) var chooser: Chooser
  /// As in `Runtime`, without a check whether it exists.
  let defaultExecutor = Runtime.defaultExecutor
  /// The scheduler, which replaces the chooser.
  private(set) var scheduler: (any JobScheduler)?
  private(set) var schedulerWantsSteps: Bool
  private(set) var schedulerUsesEffects: Bool
  private(set) var schedulerKeepsTexts: Bool
  /// Whether `hasDone` of the scheduler is to be called.
  var schedulerWantsEnds: Bool {
    schedulerWantsSteps && (schedulerUsesEffects || schedulerKeepsTexts)
  }
  /// Whether the running job was declared independent by `claimMove`.
  var claimsMove = false
  /// Whether the running job was declared dependent by `noteSharedEffect`.
  @exclusivity(unchecked) var hasSharedEffect = false
  /// The tasks that have yielded, by the identifier of the step that resumes each. Kept while there
  /// is a scheduler. The entry of a completed step stays until the next step with the same
  /// identifier replaces it.
  var yields: [UInt64: UInt64] = [:]
  /// The tasks that are not complete, if they are registered.
  var tasks: WaitingTasks?
  /// Work that code on the stage has given to Dispatch, until it is taken.
  var submissions = NotedSubmissions()
  /// Whether a test of XCTest has waited for something.
  var testHasWaited = false
  /// Calls that may have waited in real time.
  var realWaits = NotedSubmissions()
  /// Waits for locks that threads outside of the stage had.
  var lockWaits = NotedSubmissions()
  /// The random numbers of code outside of tasks.
  @exclusivity(unchecked) var random: StageRandomness
  /// Actions of other threads on tasks of the stage, if it has a scheduler.
  var interventions: [Intervention] = []
  /// What no schedule varies, if the stage has a scheduler.
  var unvaried: [Unvaried] = []
  /// The task-local values of Swift Testing, for the threads of the stage; nil if there is no test.
  private(set) var testLocals: TestLocals?
  /// The values that code keeps in the threads of the stage.
  var threadValues = ThreadValues()
  /// The stage whose step drives this one and has noted it.
  private weak var notedBy: StageExecutor?
  /// The stage whose code has entered this one. It lives until that code returns.
  private unowned(unsafe) var outer: StageExecutor?
  /// Number of jobs that the stage has run. Counted only if a step may be independent.
  @exclusivity(unchecked) var jobsRun: UInt64 = 0
  /// Number of cancelled closures that could have run at that instant.
  @exclusivity(unchecked) var dueClosuresCancelled = 0
  /// Whether each hop is a job, because the stage chooses the next step.
  private(set) var hopsAreApart = false
  @exclusivity(unchecked) var hops = Hops()
  @exclusivity(unchecked) var trace: ExecutionTrace?
  var isClosed = false
  /// The Dispatch of the stage, from its first use.
  private(set) var dispatch: StageDispatch?
  /// The threads that run the steps, from the first step that may block.
  var threads: StageThreads?
  /// Whether the calling thread must stop driving, because another thread does it from now on.
  @exclusivity(unchecked) var mustLeave = false
  /// Whether the next step may block, so that a thread of the stage must run it.
  var needsThread = false
  /// The number of times a thread has blocked.
  @exclusivity(unchecked) var switches: UInt64 = 0
  /// Whether the scheduler waits for the end of a step, and whether several steps were possible.
  @exclusivity(unchecked) var isStepOpen = false
  @exclusivity(unchecked) var stepWasChosen = false
  /// How many more jobs may run at this instant, and how many more instants, in this driving call.
  @exclusivity(unchecked) var jobsLeft = 0
  /// `jobsLeft` when a sleeper woke most recently at this instant, or at the beginning of the instant.
  @exclusivity(unchecked) var jobsLeftAtWake = 0
  @exclusivity(unchecked) var limitOfJobs = Stage.defaultLimit
  @exclusivity(unchecked) var instantsLeft = 0
  /// Number of times in a row that a loop has found nothing else to do.
  @exclusivity(unchecked) var idlePasses = 0
  /// The indices of the ready jobs that may run; nil for all.
  @exclusivity(unchecked) var startable: [Int]?
  /// Blocking calls that ended only because nothing could end them.
  var deadlocks: [BlockedThread] = []
  var reportedBlocks: Set<String> = []
  /// Cancels the tasks that `run` made; called when the stage closes.
  var cancelRoots: [@Sendable () -> Void] = []
  /// Whether other code may run when the running code locks or unlocks.
  var preempts = false
  /// Called when nothing is left to do at an instant.
  var watches: [WatchReference] = []
  /// Whether main-actor code runs. The runtime knows it only for code in jobs.
  @exclusivity(unchecked) private(set) var isOnMain = false

  private let mainExecutor: UnownedSerialExecutor
  private(set) var isFirstInFirstOut: Bool

  init(
    order: Stage.Order,
    scheduler: (any JobScheduler)? = nil,
    keepsTrace: Bool,
    seed: UInt64 = 0
  ) {
    NotedSubmission.noting
    Self.noticingTasks
    Self.noticingThreadValues
    Self.drawing
    registry = TaskRegistry(first: Runtime.newestTaskNumber())
    address = StageAddress(registry: registry)
    inbox = address.inbox
    mainExecutor = MainActor.sharedUnownedExecutor  // The routing one, in place by now.
    chooser = Chooser(order)
    self.scheduler = scheduler
    schedulerWantsSteps = scheduler?.wantsSteps == true
    schedulerUsesEffects = scheduler?.usesEffects == true
    schedulerKeepsTexts = scheduler?.keepsTexts == true
    isFirstInFirstOut = scheduler == nil && chooser.isFirstInFirstOut
    trace = keepsTrace ? ExecutionTrace() : nil
    random = StageRandomness(seed: seed)
    clock = .allocate(capacity: 1)
    clock.initialize(to: Atomic(0))
    shelf = StageRegistry.enter(address)
    hopsAreApart = !isFirstInFirstOut && Runtime.canKeepHopsApart
    testLocals = TestLocals()
    if testLocals != nil { TestLocals.giving }
  }

  /// Sets the scheduler from now on; nil restores the stage's own order.
  func schedule(by scheduler: (any JobScheduler)?) {
    self.scheduler = scheduler
    schedulerWantsSteps = scheduler?.wantsSteps == true
    schedulerUsesEffects = scheduler?.usesEffects == true
    schedulerKeepsTexts = scheduler?.keepsTexts == true
    isFirstInFirstOut = scheduler == nil && chooser.isFirstInFirstOut
    hopsAreApart = !isFirstInFirstOut && Runtime.canKeepHopsApart
    yields = [:]
    hops = Hops()
    // They were taken out of the heap for a choice. In first-in-first-out order, all due alarms are
    // read from the heap.
    if isFirstInFirstOut { putBackDue() }
  }

  var dispatching: StageDispatch {
    if let dispatch { return dispatch }
    let made = StageDispatch(self)
    dispatch = made
    return made
  }

  func setOnMain(_ isOnMain: Bool) { self.isOnMain = isOnMain }

  deinit {
    while let job = ready.popFirst() { if job.isBlock { job.releaseBlock() } }
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

  /// Makes this the stage of the calling thread during `body`.
  func occupyThread<T>(onMain: Bool, _ body: () throws -> T) rethrows -> T {
    let outer = occupyThread(onMain: onMain)
    defer { leaveThread(to: outer) }
    return try body()
  }

  /// Makes this the stage of the calling thread.
  ///
  /// - Returns: the state that `leaveThread` restores.
  func occupyThread(onMain: Bool) -> (thread: cvt_thread, wasOnMain: Bool) {
    let thread = cvt_thread(
      stage: Unmanaged.passUnretained(self).toOpaque(),
      nanoseconds: UnsafeMutableRawPointer(clock).assumingMemoryBound(to: Int64.self),
      probe: nil,
      initialisation: nil,
      awaits: 0,
      history: tasks?.history.notes,
      preempts: preempts
    )
    defer { isOnMain = onMain }
    return (cvt_exchange(thread), isOnMain)
  }

  func leaveThread(to outer: (thread: cvt_thread, wasOnMain: Bool)) {
    isOnMain = outer.wasOnMain
    _ = cvt_exchange(outer.thread)
  }

  /// Runs `body` as on a thread without a stage.
  static func leavingThread<T>(_ body: () throws -> T) rethrows -> T {
    let before = cvt_exchange(cvt_thread())
    defer { _ = cvt_exchange(before) }
    return try body()
  }

  /// Runs `body`, which runs jobs. Calls must not overlap, and must not come from a job.
  ///
  /// `body` is called again by another thread if the calling one must leave or blocks.
  func drive<T>(_ limits: Stage.Limits = .default, _ body: @escaping () -> T) -> T {
    let wasDriven = isDriven.exchange(true, ordering: .acquiring)
    precondition(
      !wasDriven,
      "A stage is driven by one thread at a time, and not from within its own jobs."
    )
    defer { isDriven.store(false, ordering: .releasing) }
    noteOuterStage()
    count(to: limits)
    // Code that may be interrupted anywhere runs on threads of the stage, so that limits can end it.
    if preempts { threads = threads ?? StageThreads(self) }
    // A blocked thread keeps its own state, and leaves that of the caller to this function.
    let wasOnMain = isOnMain
    defer { isOnMain = wasOnMain }
    if threads == nil {
      let result = occupyThread(onMain: false, body)
      guard needsThread else { return result }
      needsThread = false
      mustLeave = false
      threads = threads ?? StageThreads(self)
    }
    guard let threads else { return occupyThread(onMain: false, body) }
    return threads.perform(body)
  }

  /// Performs code that enters this stage from a step of another one.
  func within<T>(_ other: StageExecutor, _ body: () throws -> T) rethrows -> T {
    let before = outer
    outer = other
    defer { outer = before }
    return try Self.leavingThread(body)
  }

  /// Notes that a step of another stage drives this one.
  private func noteOuterStage() {
    let current = Self.current
    // An executor without a handle tries the runtime.
    guard let outer = current === self ? self.outer : current ?? self.outer, outer !== notedBy,
      handle != nil
    else { return }
    notedBy = outer
    outer.noteUnvaried(Unvaried.otherStage)
  }

  /// Counts jobs and instants from now on.
  func count(to limits: Stage.Limits) {
    limitOfJobs = limits.jobsAtOneInstant
    jobsLeft = limitOfJobs
    jobsLeftAtWake = limitOfJobs
    instantsLeft = limits.instants
  }

  // MARK: Jobs that come in

  func enqueue(_ job: consuming ExecutorJob) {
    accept(UnownedJob(job), onMain: false)
  }

  /// Accepts a job from any thread.
  func accept(_ job: UnownedJob, onMain: Bool) {
    guard isCurrent else { return inbox.post(.job(job, onMain: onMain)) }
    remember(job)
    append(ReadyJob(job, onMain: onMain))
  }

  /// Accepts a job that this thread makes or wakes, unless its task is older than the stage.
  func adopt(_ job: UnownedJob, onMain: Bool) -> Bool {
    let task = Runtime.taskNumber(of: job)
    if !registry.containsHere(task), Runtime.isTask(job) {
      if registry.isOlder(task) { return false }
      insert(job, task)
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

  /// Reports to the scheduler that the running task suspends itself for others, until the step with
  /// this identifier resumes it.
  func noteYield(by step: UInt64) {
    guard let scheduler, let task = Runtime.currentTaskNumber() else { return }
    yields[step] = task
    scheduler.hasYielded(task: task)
  }

  /// The number of the running task, unless it is older than the stage, as the task of a test that performs a session.
  var currentTaskNumber: UInt64? {
    Runtime.currentTaskNumber().flatMap { registry.isOlder($0) ? nil : $0 }
  }

  /// Registers a task of the stage.
  func remember(_ job: UnownedJob) {
    let task = Runtime.taskNumber(of: job)
    if !registry.containsHere(task), Runtime.isTask(job) { insert(job, task) }
    trace?.meet(task)
  }

  private func insert(_ job: UnownedJob, _ task: UInt64) {
    registry.insert(task)
    // This task may be a child of `async let`, whose creation is not noticed. Then its creator runs now.
    beginStream(of: job)
    tasks?.insert(job)
  }

  /// Makes the stage of a thread notice each task that is created there from now on, also a task that runs before it
  /// has a job. Tasks of `async let` are not noticed.
  static let noticingTasks: Void = cvt_handle_tasks { task in
    guard let task, let stage = current else { return }
    let job = unsafeBitCast(task, to: UnownedJob.self)
    stage.beginStream(of: job)
    stage.tasks?.insert(job)
  }

  // MARK: Running one thing

  func beginJob() {
    jobsRun &+= 1
    idlePasses = 0
    cvt_begin_job()
  }

  func run(_ ready: ReadyJob) {
    if ready.isBlock { return runBlock(ready) }
    if trace != nil { trace?.note(ready, at: nanoseconds) }
    let locks = cvt_locks_of_thread()
    beginJob()
    if ready.onMain {
      isOnMain = true
      ready.job.runSynchronously(on: mainExecutor)
      isOnMain = false
    } else {
      ready.job.runSynchronously(on: Runtime.genericExecutor)
    }
    noteLock(since: locks, of: ready.job.address)
    tasks?.finish(ready.job.address)
  }

  private func runBlock(_ ready: ReadyJob) {
    // A block on another queue than the main one may block for a long time, or forever.
    if !ready.onMain, !isClosed, threads?.running == nil {
      self.ready.prepend(ready)
      needsThread = true
      mustLeave = true
      return
    }
    let block = ready.takeBlock()
    // Like closures of a closed stage, its blocks are dropped: one that waits in a loop would never end.
    if isClosed {
      block.queue?.remove(block)
      return
    }
    if trace != nil { trace?.note(ready, at: nanoseconds) }
    let locks = cvt_locks_of_thread()
    beginJob()
    dispatching.run(block)
    noteLock(since: locks, of: nil)
  }

  func wake(_ sleeper: Sleeper, sequence: UInt64) {
    if trace != nil { trace?.note(sleeper, sequence: sequence, at: nanoseconds) }
    switch sleeper {
    case .free, .reserved:
      break
    case .task(let task):
      task.wake()
    case .runtime(let sleep):
      beginJob()
      sleep.job.runSynchronously(on: Runtime.genericExecutor)
    case .outside(let sleep):
      sleep.end(throwing: nil)
    case .scheduled(let scheduled):
      guard let body = scheduled.take() else { break }
      drawing(from: &scheduled.random) { onMain { assumingMainActor(body) } }
    }
  }

  /// Runs main-actor code outside of a job.
  func onMain(_ body: () -> Void) {
    isOnMain = true
    defer { isOnMain = false }
    body()
  }
}

/// Calls main-actor code. The caller must run on the main actor.
@inlinable
package func assumingMainActor<T>(_ body: @MainActor () throws -> T) rethrows -> T {
  try withoutActuallyEscaping(body) { body in
    try unsafeBitCast(body, to: (() throws -> T).self)()
  }
}
