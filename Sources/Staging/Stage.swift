import CVirtualTime
import RehearsalBase
import Synchronization

/// A place where unmodified Swift concurrency code runs in virtual time.
///
/// Every job that code on the stage makes runs in the stage's queue: `Task {}`, `Task.detached`,
/// main-actor code, child tasks, `Task.sleep`, the tasks inside `AsyncStream` and
/// swift-async-algorithms. Time stands still while there is anything to do, and then jumps to the
/// next sleeper.
///
/// One thread at a time drives a stage, by calling the methods that return a `Stop`. They can be
/// called inside or outside of a task, also from a job of another stage. Main-actor code of two
/// stages may therefore run at the same time on two threads: this is safe for objects that the
/// stages do not share, and a race for global main-actor state. Priorities are ignored.
///
/// Releasing a stage closes it. A stage that its own tasks retain must be closed with `close`.
public final class Stage: Sendable {
  /// The order of jobs that are ready at the same time.
  public enum Order: Sendable, Equatable {
    /// By time, then by arrival.
    case firstInFirstOut
    /// A random order, the same for the same seed.
    case shuffled(seed: UInt64)
    /// The `choices` of another run; the first job after the end of the list.
    case recorded([Int])
  }

  /// Whether each hop of a task between executors is a scheduling point, on a stage whose order is
  /// not first in, first out. If not, a task enters an idle actor before any other task can run.
  /// Depends on the toolchain and the platform; tested once.
  public static var hopsAreSchedulingPoints: Bool { Runtime.canKeepHopsApart }

  /// Whether a stage notices steps that cancel tasks, run jobs at once or give work to other
  /// threads; such steps are not independent of others. Depends on the platform and on the link
  /// options of the program; tested once.
  package static var noticesEffects: Bool { Runtime.countsEffects }

  /// A stored value, because the compiler warns about code after a condition that it knows.
  private static let isBuiltForDebugging = _isDebugAssertConfiguration()

  /// Whether a stage can run other jobs when code locks or unlocks a `Mutex`. Not in an optimised build: there, this calls
  /// no function. Changes functions of the program; tested once.
  private static let canPreemptMutexes: Bool = {
    guard isBuiltForDebugging, cvt_preempts_locks(), cvt_preempt_mutexes() else { return false }
    let stage = StageExecutor(order: .firstInFirstOut, keepsTrace: false)
    return stage.occupyThread(onMain: false) {
      let before = cvt_current_calls().mutexes
      Mutex(()).withLock { _ in }
      return cvt_current_calls().mutexes > before
    }
  }()

  /// What `preemptsAtLocks` leaves out in this program; nil if nothing. Tested once.
  package static var gapOfPreemption: String? {
    if SearchNeed.locks.isMissingInTest || !cvt_preempts_locks() {
      return
        "'preempt locks' has no effect: it needs Linux with glibc, a build without a sanitizer, and a program with symbols"
    }
    return canPreemptMutexes && !SearchNeed.mutexes.isMissingInTest
      ? nil
      : "'preempt locks' does not reach each 'Mutex': that needs a build without optimisation on Linux for x86-64"
  }

  /// Whether a thread of the stage is blocked or interrupted. It may have locks.
  package var hasBlockedThreads: Bool { executor.threads?.blocked.isEmpty == false }

  /// Whether other jobs may run when code locks or unlocks, if the stage chooses the next step. Only for the stage's
  /// thread, between two jobs.
  package var preemptsAtLocks: Bool {
    get { executor.preempts }
    set {
      if newValue { _ = Self.canPreemptMutexes }
      executor.preempts = newValue
      if executor.isCurrent { cvt_set_preempting(newValue) }
    }
  }

  let executor: StageExecutor
  private let closesWhenGone: Bool

  /// Makes a stage whose time is zero.
  ///
  /// The first stage installs executors that route the jobs of this process from then on: jobs of a
  /// stage run on the stage, all others on the platform's executors.
  ///
  /// - Parameters:
  ///   - order: the order of jobs that are ready at the same time.
  ///   - keepsTrace: whether `trace` records the steps; costs time and memory.
  ///   - seed: the seed of random numbers that code on the stage draws from the system, by
  ///     `Int.random`, `shuffled()` or `UUID()`. Each task has its own sequence, which depends on no
  ///     other task. On Linux only.
  public init(
    order: Order = .firstInFirstOut,
    keepsTrace: Bool = false,
    seed: UInt64 = 0
  ) {
    executor = StageExecutor(order: order, keepsTrace: keepsTrace, seed: seed)
    closesWhenGone = true
    executor.handle = self
  }

  /// Makes a stage whose steps a scheduler chooses.
  ///
  /// - Parameters:
  ///   - scheduler: chooses the steps, and open values.
  ///   - keepsTrace: whether `trace` records the steps; costs time and memory.
  ///   - keepsTasks: whether `waitingTasks` knows the tasks; keeps completed tasks in memory for a
  ///     while.
  ///   - keepsOrigins: whether it also knows where the tasks were created; costs time at each creation.
  ///   - preemptsAtLocks: whether other jobs may run when code locks or unlocks.
  package init(
    scheduler: any JobScheduler,
    keepsTrace: Bool = false,
    keepsTasks: Bool = false,
    keepsOrigins: Bool = false,
    preemptsAtLocks: Bool = false
  ) {
    executor = StageExecutor(
      order: .firstInFirstOut,
      scheduler: scheduler,
      keepsTrace: keepsTrace
    )
    closesWhenGone = true
    if keepsTasks { executor.tasks = WaitingTasks(keepsOrigins: keepsOrigins) }
    self.preemptsAtLocks = preemptsAtLocks
    executor.handle = self
  }

  /// Makes a new `Stage` for an executor whose `Stage` was released.
  private init(standingInFor executor: StageExecutor) {
    self.executor = executor
    closesWhenGone = false
  }

  deinit {
    guard closesWhenGone, !executor.isClosed else { return }
    let standIn = Stage(standingInFor: executor)
    executor.handle = standIn
    _ = standIn.close()
  }

  /// Sets the scheduler from now on; nil removes it. Not for calls from the stage's jobs.
  package func schedule(by scheduler: (any JobScheduler)?) {
    executor.occupyThread(onMain: executor.isOnMain) { executor.schedule(by: scheduler) }
  }

  /// Restarts the random numbers of code outside of tasks from a seed, and with them those of the
  /// tasks that it creates from now on. Only for the stage's thread.
  package func reseed(_ seed: UInt64) { executor.random = StageRandomness(seed: seed) }

  /// A number that changes if code outside of tasks draws a random number or creates a task.
  package var randomState: UInt64 {
    let stream = executor.random.current
    return stream.children.state &+ stream.numbers.state
  }

  /// The scheduler; nil if there is none. Only for the stage's thread.
  package var jobScheduler: (any JobScheduler)? { executor.scheduler }

  // MARK: Where and when

  /// The stage of the calling thread; nil if it runs none.
  public static var current: Stage? { StageExecutor.current?.handle }

  /// Whether the calling code runs on this stage.
  public var isCurrent: Bool { executor.isCurrent }

  /// Whether the calling code runs on this stage and on its main actor.
  package var isOnMainActor: Bool { executor.isCurrent && executor.isOnMain }

  /// The stage's time. Another thread may read a value that is a moment old.
  public var now: StageInstant { StageInstant(nanoseconds: executor.nanoseconds) }

  /// The stage's own clock.
  public var clock: StageClock { StageClock(stage: executor) }

  // MARK: Putting work on it

  /// Runs `body` at once on the stage and on the main actor. Tasks that it makes wait until the
  /// stage is driven.
  ///
  /// - Throws: the error of `body`.
  @_specialize(where T == Bool)
  @_specialize(where T == Void)
  public func enter<T>(_ body: @MainActor () throws -> T) rethrows -> T {
    if let current = StageExecutor.current, current !== executor {
      return try executor.within(current) { try enter(body) }
    }
    let outer = executor.occupyThread(onMain: true)
    defer { executor.leaveThread(to: outer) }
    return try withoutActuallyEscaping(body) { body in
      try unsafeBitCast(body, to: (() throws -> T).self)()
    }
  }

  /// Adds a closure that runs on the main actor at `instant`, or at the present instant if that has
  /// passed. It is no task, and costs little.
  @discardableResult
  public func schedule(
    at instant: StageInstant,
    _ body: @escaping @MainActor () -> Void
  ) -> Scheduled {
    schedule(at: instant, name: nil, body)
  }

  /// Adds a closure, like `schedule(at:_:)`.
  ///
  /// - Parameters:
  ///   - instant: the instant.
  ///   - onlyWakes: whether it only resumes the calling task, so that its order among others does not matter.
  ///   - name: what it is, for readers; nil for a timer.
  ///   - body: the closure.
  /// - Returns: an object that can cancel it.
  @discardableResult
  package func schedule(
    at instant: StageInstant,
    onlyWakes: Bool = false,
    name: String?,
    _ body: @escaping @MainActor () -> Void
  ) -> Scheduled {
    let scheduled = Scheduled(
      at: instant,
      on: executor,
      onlyWakes: onlyWakes,
      name: name,
      body: body
    )
    executor.schedule(scheduled)
    return scheduled
  }

  // MARK: For schedulers

  /// Declares the running job independent: it only resumes one task, and no other code depends on
  /// it before that task runs, or `movesMatter` is called first. Only for the stage's thread.
  package func claimMove() { executor.claimsMove = true }

  /// Declares that the running code depends on earlier steps that resumed tasks, if those tasks
  /// have not run since. Only for the stage's thread.
  ///
  /// - Parameter onlyClaimed: whether only steps that `claimMove` declared independent are meant.
  package func movesMatter(onlyClaimed: Bool = false) {
    executor.scheduler?.movesMatter(onlyClaimed: onlyClaimed)
  }

  /// Declares that the running code changes state that it shares with other tasks, so that its step is not independent,
  /// even if no actor isolates it. Does nothing on a thread without a stage.
  package static func noteSharedEffect() { StageExecutor.current?.hasSharedEffect = true }

  /// The function that called the calling function, and its line; nil if it is unknown. For any thread.
  package static var callerOfThis: SourceFrame? {
    StackFunction.frames(at: ReturnAddresses.ofCallers()).first
  }

  // MARK: Results

  /// The work that is left. For the thread that drives the stage.
  public var pending: Pending {
    executor.occupyThread(onMain: false) {
      executor.acceptMessages()
      return executor.pending()
    }
  }

  /// Returns the incomplete tasks of the stage, without child tasks and disowned tasks; nil if the
  /// toolchain has another layout of tasks. For the thread that drives the stage.
  package func waitingTasks() -> WaitReport? { executor.tasks?.waiting() }

  /// A task of a stage, as long as it is not complete.
  package struct TaskID: Hashable, Sendable {
    let address: UInt

    var pointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: address) }
  }

  /// Returns the identity of a task.
  package static func id<Success, Failure>(of task: Task<Success, Failure>) -> TaskID {
    TaskID(address: unsafeBitCast(task, to: UnownedJob.self).address)
  }

  /// Returns the runtime's number of a task, as `Turn.task` does.
  package static func number<Success, Failure>(of task: Task<Success, Failure>) -> UInt64 {
    Runtime.taskNumber(of: unsafeBitCast(task, to: UnownedJob.self))
  }

  /// The running task; nil outside of tasks.
  package static var currentTask: TaskID? {
    Runtime.currentTask().map { TaskID(address: UInt(bitPattern: $0)) }
  }

  /// The running task, or for a child task the outermost of its parents; nil outside of tasks.
  package static var currentRootTask: TaskID? {
    Runtime.currentTask().flatMap(TaskLayout.root).map { TaskID(address: UInt(bitPattern: $0)) }
  }

  /// Returns whether all registered tasks are complete, except for some; nil if it is unknown. For the thread that runs
  /// the stage.
  package func areTasksComplete(besides others: Set<TaskID>) -> Bool? {
    executor.tasks?.areComplete(besides: Set(others.map(\.address)))
  }

  /// Returns the incomplete tasks, as `waitingTasks()`, except for some. For the thread that runs the stage.
  package func waitingTasks(besides others: Set<TaskID>) -> WaitReport? {
    executor.tasks?.waiting(besides: Set(others.map(\.address)))
  }

  /// Returns the registered tasks, or if none are, what a task waits for; nil if the toolchain has another layout of
  /// tasks. For the thread that drives the stage.
  package func waitingTasks<Success, Failure>(orOf task: Task<Success, Failure>) -> WaitReport? {
    if let report = waitingTasks() { return report }
    let address = TaskLayout.address(unsafeBitCast(task, to: UnownedJob.self))
    return TaskLayout.isKnown ? WaitReport(of: [(address, "the task")], numbers: [:]) : nil
  }

  /// Reports the given tasks that are not complete, and the registered ones, with what they wait for; nil if the toolchain
  /// has another layout of tasks. For the thread that drives the stage.
  ///
  /// - Parameters:
  ///   - tasks: tasks that are not registered, each with its label.
  ///   - isFull: whether stacks include functions of libraries and of Rehearse.
  /// - Returns: the report.
  package func waitingTasks(
    with tasks: [(task: Task<Void, Never>, label: String)],
    isFull: Bool
  ) -> WaitReport? {
    guard TaskLayout.isKnown else { return nil }
    let roots = tasks.map { task, label in
      (task: TaskLayout.address(unsafeBitCast(task, to: UnownedJob.self)), label: label)
    }
    return executor.tasks?.waiting(with: roots, isFull: isFull)
      ?? WaitReport(of: roots, numbers: [:], isFull: isFull)
  }

  /// Releases the registered tasks that are complete. On the stage, because their results may run code.
  package func releaseFinishedTasks() { executor.tasks?.finishAll() }

  /// Registers the tasks that are created from now on for `waitingTasks`, with the places of their creation if the
  /// scheduler keeps texts. For the thread that drives the stage.
  package func keepTasks() {
    executor.tasks = executor.tasks ?? WaitingTasks(keepsOrigins: false)
    if executor.schedulerKeepsTexts { executor.tasks?.keepOrigins() }
  }

  /// The number of the running task; nil outside of tasks, and for a task that is older than the stage.
  package static var currentTaskNumber: UInt64? { StageExecutor.current?.currentTaskNumber }

  /// Whether tasks are registered for `waitingTasks`.
  package var keepsTasks: Bool { executor.tasks != nil }

  /// Excludes a task from `waitingTasks`, because the caller checks it in another way. For the
  /// thread that drives the stage.
  package func disown<Success, Failure>(_ task: Task<Success, Failure>) {
    executor.tasks?.disown(unsafeBitCast(task, to: UnownedJob.self))
  }

  /// The chosen index at each step with several ready jobs, without the zeros at the end.
  /// `.recorded(choices)` repeats the run.
  public var choices: [Int] { executor.chooser.choices }

  /// How the list of a `.recorded` order does not fit this run. Choices that are not used yet are
  /// included, so read it at the end.
  public var misfit: Misfit? { executor.chooser.misfit }

  /// The steps that the stage took, if it was created with `keepsTrace`.
  public var trace: [ExecutionStep] { executor.trace?.steps ?? [] }
}
