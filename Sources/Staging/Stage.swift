/// A place where unmodified Swift concurrency code runs in virtual time.
///
/// Every job that code on the stage makes comes back to the stage's queue: `Task {}`, `Task.detached`,
/// main-actor code, child tasks, `Task.sleep`, the tasks inside `AsyncStream` and
/// swift-async-algorithms. Time stands still while there is anything to do, and then jumps to the next
/// sleeper.
///
/// One thread at a time drives a stage, by calling the methods that return a `Stop`; from inside or
/// outside of a task, also from a job of another stage. Main-actor code of two stages may therefore run
/// at the same time on two threads: fine for objects of their own, a race for global main-actor state.
/// Priorities are not looked at.
///
/// A stage that goes away is closed. One that its own tasks keep alive is not: `close` it.
public final class Stage: Sendable {
  /// Which of several jobs that are ready runs first.
  public enum Order: Sendable, Equatable {
    /// By time, then by arrival.
    case firstInFirstOut
    /// Any, but the same for the same seed.
    case shuffled(seed: UInt64)
    /// What `choices` of another run says; where it says nothing, the first.
    case recorded([Int])
  }

  /// Whether each hop of a task between executors is a scheduling point on a stage that does not run first in,
  /// first out. If not, a task enters an idle actor before any other task can run. Depends on the toolchain and the
  /// platform; tried once.
  public static var hopsAreSchedulingPoints: Bool { Runtime.canKeepHopsApart }

  /// Whether a stage notices steps that cancel tasks, run jobs at once or give work to other threads, which are not
  /// independent of other steps. Depends on the platform and on the link options of the program; tried once.
  package static var noticesEffects: Bool { Runtime.countsEffects }

  let executor: StageExecutor
  private let closesWhenGone: Bool

  /// Makes a stage whose time is zero.
  ///
  /// The first one puts executors in place that route the jobs of this process, for good: those of
  /// stages to them, all others where they always went.
  ///
  /// - Parameters:
  ///   - order: which of several ready jobs runs first.
  ///   - keepsDecisions: whether `decisions` tells what was done; costs time and memory.
  public init(order: Order = .firstInFirstOut, keepsDecisions: Bool = false) {
    executor = StageExecutor(order: order, keepsTrace: keepsDecisions)
    closesWhenGone = true
    executor.handle = self
  }

  /// Makes a stage on which somebody decides, step by step, what comes next.
  ///
  /// - Parameters:
  ///   - scheduler: picks the next job, and open values.
  ///   - keepsDecisions: whether `decisions` tells what was done; costs time and memory.
  ///   - keepsTasks: whether `unfinishedTasks` knows the tasks; keeps the memory of tasks that are over for a while.
  package init(scheduler: any JobScheduler, keepsDecisions: Bool = false, keepsTasks: Bool = false)
  {
    executor = StageExecutor(
      order: .firstInFirstOut,
      scheduler: scheduler,
      keepsTrace: keepsDecisions
    )
    closesWhenGone = true
    if keepsTasks { executor.tasks = UnfinishedTasks() }
    executor.handle = self
  }

  /// Another name for a stage whose own has gone.
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

  /// Has somebody decide from now on what comes next, or nobody any more. Not from within its jobs.
  package func schedule(by scheduler: (any JobScheduler)?) {
    executor.occupyThread(onMain: executor.isOnMain) { executor.schedule(by: scheduler) }
  }

  /// Who decides; nil if nobody does. Only on the stage's thread.
  package var jobScheduler: (any JobScheduler)? { executor.scheduler }

  // MARK: Where and when

  /// The stage that the calling thread runs; nil on any other thread.
  public static var current: Stage? { StageExecutor.current?.handle }

  /// Whether the calling code runs on this stage.
  public var isCurrent: Bool { executor.isCurrent }

  /// Whether the calling code runs on this stage, and on the main actor.
  package var isOnMainActor: Bool { executor.isCurrent && executor.isOnMain }

  /// The stage's time. On another thread than the stage's it may be a moment old.
  public var now: StageInstant { StageInstant(nanoseconds: executor.nanoseconds) }

  /// The stage's own clock.
  public var clock: StageClock { StageClock(stage: executor) }

  // MARK: Putting work on it

  /// Runs `body` at once, on the stage and on the main actor, and nothing else: the tasks that it
  /// makes wait until the stage is driven.
  ///
  /// - Throws: what `body` throws.
  @_specialize(where T == Bool)
  @_specialize(where T == Void)
  public func enter<T>(_ body: @MainActor () throws -> T) rethrows -> T {
    let outer = executor.occupyThread(onMain: true)
    defer { executor.leaveThread(to: outer) }
    return try withoutActuallyEscaping(body) { body in
      try unsafeBitCast(body, to: (() throws -> T).self)()
    }
  }

  /// Adds a closure that runs on the main actor when the stage has come to `instant`; at the present one
  /// if that is past. It is no task, and costs little.
  @discardableResult
  public func schedule(
    at instant: StageInstant,
    _ body: @escaping @MainActor () -> Void
  ) -> Scheduled {
    schedule(at: instant, onlyWakes: false, body)
  }

  /// The same, of a closure that does nothing but resume a task, so that its order among others is of no account.
  package func schedule(
    at instant: StageInstant,
    onlyWakes: Bool,
    _ body: @escaping @MainActor () -> Void
  ) -> Scheduled {
    let scheduled = Scheduled(at: instant, on: executor, onlyWakes: onlyWakes, body: body)
    executor.schedule(scheduled)
    return scheduled
  }

  // MARK: For who decides

  /// Says of the job that runs now that all it does is to move one task on: what else it does is no concern of
  /// anybody's before that task goes on, or else `movesMatter` is called. On the stage's thread.
  package func claimMove() { executor.claimsMove = true }

  /// Says that the code that runs now depends on what has moved tasks on that have not run since. On the stage's
  /// thread.
  ///
  /// - Parameter onlyClaimed: whether it is about those only that `claimMove` told of.
  package func movesMatter(onlyClaimed: Bool = false) {
    executor.scheduler?.movesMatter(onlyClaimed: onlyClaimed)
  }

  // MARK: What it did, and what is left

  /// What is left over. For the thread that drives the stage.
  public var pending: Pending {
    executor.occupyThread(onMain: false) {
      executor.openLetters()
      return executor.pending()
    }
  }

  /// Returns the tasks of the stage that are not complete, without child tasks and disowned tasks; nil if this
  /// toolchain has another layout of tasks, so that they cannot be found. For the thread that drives the stage.
  package func unfinishedTasks() -> [UnfinishedTask]? { executor.tasks?.unfinished() }

  /// Releases the registered tasks that are complete. On the stage, because their results may run code.
  package func releaseFinishedTasks() { executor.tasks?.finishAll() }

  /// Registers the tasks that are created from now on for `unfinishedTasks`. For the thread that drives the stage.
  package func keepTasks() { executor.tasks = executor.tasks ?? UnfinishedTasks() }

  /// Whether tasks are registered for `unfinishedTasks`.
  package var keepsTasks: Bool { executor.tasks != nil }

  /// Leaves out a task of `unfinishedTasks`, because the caller checks it in another way. For the thread that drives
  /// the stage.
  package func disown<Success, Failure>(_ task: Task<Success, Failure>) {
    executor.tasks?.disown(unsafeBitCast(task, to: UnownedJob.self))
  }

  /// What was picked of several ready jobs, each time there were several, up to the last time that it was
  /// not the first: `.recorded(choices)` does it again.
  public var choices: [Int] { executor.chooser.choices }

  /// How the list of a `.recorded` order did not fit this run. Choices not used yet count: ask at the end.
  public var misfit: Misfit? { executor.chooser.misfit }

  /// What the stage did, if it was told to keep it.
  public var decisions: [Decision] { executor.trace?.decisions ?? [] }
}
