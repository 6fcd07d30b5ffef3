// This file has everything in Staging that depends on unpromised behaviour of the toolchain: two
// SPI groups, two runtime functions called by name, and the representation of the generic executor.
import CVirtualTime
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

#if compiler(<6.3)
#error("Staging needs Swift 6.3: earlier toolchains cannot replace the default executors.")
#endif

/// Reads a job's task and kind from the runtime, and sends each new job to its stage or to the platform's executor.
@_silgen_name("swift_task_getJobTaskId") private func jobTaskID(_ job: UnownedJob) -> UInt64
@_silgen_name("swift_task_getJobFlags") private func jobFlags(_ job: UnownedJob) -> UInt

/// Information about jobs from the Swift runtime.
enum Runtime {
  /// The executor of nonisolated code. A job that runs on it alone may hop to an idle actor without
  /// another job.
  static var genericExecutor: UnownedSerialExecutor {
    unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)
  }

  /// The executor of tasks without an executor preference.
  static let defaultExecutor = RoutingFactory.defaultExecutor.asUnownedTaskExecutor()

  /// Returns the runtime's number of a job's task: unique, increasing, and stable over suspensions.
  /// The executor's own data in a job is not stable: it is zeroed before a task resumes.
  static func taskNumber(of job: UnownedJob) -> UInt64 { jobTaskID(job) }

  /// Returns whether the job is a task, not an actor with messages or a continuation.
  static func isTask(_ job: UnownedJob) -> Bool { jobFlags(job) & 0xFF == 0 }

  /// Returns whether the job only resumes a task after `Task.yield()`:
  /// `JobKind::NullaryContinuation` in the runtime's headers.
  static func isContinuation(_ job: UnownedJob) -> Bool { jobFlags(job) & 0xFF == 195 }

  /// Returns whether the job runs the messages of a default actor: `JobKind::DefaultActorSeparate`.
  static func isActor(_ job: UnownedJob) -> Bool { jobFlags(job) & 0xFF == 193 }

  /// Returns the priority of a job.
  static func priority(of job: UnownedJob) -> UInt { jobFlags(job) >> 8 & 0xFF }

  /// Returns whether the task of a job is cancelled. The job must be a task: both are one object.
  static func isCancelled(_ job: UnownedJob) -> Bool {
    unsafeBitCast(job, to: UnsafeCurrentTask.self).isCancelled
  }

  /// Returns whether the job runs an isolated deinit: `JobKind::IsolatedDeinit`.
  static func isDeinit(_ job: UnownedJob) -> Bool { jobFlags(job) & 0xFF == 196 }

  /// Returns the running task; nil outside of tasks.
  static func currentTask() -> UnsafeMutableRawPointer? { cvt_current_task() }

  /// Returns the number of the running task; nil outside of tasks.
  static func currentTaskNumber() -> UInt64? {
    withUnsafeCurrentTask { $0.map { taskNumber(of: unsafeBitCast($0, to: UnownedJob.self)) } }
  }

  /// Returns the number of a task made now: older tasks have smaller numbers, later tasks greater
  /// ones.
  static func newestTaskNumber() -> UInt64 {
    withTasksRunningAtOnce { Task.detached {} }
  }

  /// Calls `body`, and runs the tasks that it creates or resumes before these calls return.
  ///
  /// - Returns: the number of the last of these tasks.
  @discardableResult
  static func withTasksRunningAtOnce(_ body: () -> Void) -> UInt64 {
    routing
    var number: UInt64 = 0
    withUnsafeMutablePointer(to: &number) { probe in
      let thread = cvt_thread(
        stage: nil,
        nanoseconds: nil,
        probe: probe,
        initialisation: nil,
        awaits: 0,
        history: nil,
        preempts: false
      )
      let before = cvt_exchange(thread)
      defer { _ = cvt_exchange(before) }
      body()
    }
    return number
  }

  /// Returns the flags of a job: its kind, and how its task was made.
  static func flags(of job: UnownedJob) -> UInt { jobFlags(job) }

  /// Installs the routing executors, once. Works at any time, also after the process has run tasks,
  /// as in a Swift Testing test.
  static let routing: Void = _createExecutors(factory: RoutingFactory.self)
}

extension UnownedJob {
  /// For comparison only: the job may be freed.
  var address: UInt { unsafeBitCast(self, to: UInt.self) }
}

private struct RoutingFactory: ExecutorFactory {
  static let mainExecutor: any MainExecutor = RoutingMainExecutor()
  static let defaultExecutor: any TaskExecutor = RoutingExecutor()
}

/// Keeps the jobs of a stage on the stage, and forwards all others to the platform's executor.
private final class RoutingExecutor: TaskExecutor, SchedulingExecutor, @unchecked Sendable {
  // Immutable; the platform's executors accept jobs from any thread.
  private let platform = PlatformExecutorFactory.defaultExecutor
  private let timer = PlatformExecutorFactory.defaultExecutor as? any SchedulingExecutor

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if StageExecutor.takes(job, onMain: false) { return }
    platform.enqueue(ExecutorJob(job))
  }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob,
    at instant: C.Instant,
    tolerance: C.Duration?,
    clock: C
  ) {
    let job = UnownedJob(job)
    if StageExecutor.keeps(job, until: instant, of: clock) { return }
    guard let timer else { preconditionFailure("The platform's executor cannot wait.") }
    timer.enqueue(ExecutorJob(job), at: instant, tolerance: tolerance, clock: clock)
  }
}

private final class RoutingMainExecutor: MainExecutor, SchedulingExecutor, @unchecked Sendable {
  // Immutable; the platform's executors accept jobs from any thread.
  private let platform = PlatformExecutorFactory.mainExecutor
  private let timer = PlatformExecutorFactory.mainExecutor as? any SchedulingExecutor

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if StageExecutor.takes(job, onMain: true) { return }
    platform.enqueue(ExecutorJob(job))
  }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob,
    at instant: C.Instant,
    tolerance: C.Duration?,
    clock: C
  ) {
    let job = UnownedJob(job)
    if StageExecutor.keeps(job, until: instant, of: clock) { return }
    guard let timer else { preconditionFailure("The platform's main executor cannot wait.") }
    timer.enqueue(ExecutorJob(job), at: instant, tolerance: tolerance, clock: clock)
  }

  func run() throws { try platform.run() }
  func stop() { platform.stop() }
  var isMainExecutor: Bool { true }

  func checkIsolated() {
    guard let stage = StageExecutor.current else { return platform.checkIsolated() }
    precondition(stage.isOnMain, "This code does not run on the main actor of its stage.")
  }

  func isIsolatingCurrentContext() -> Bool? {
    guard let stage = StageExecutor.current else { return platform.isIsolatingCurrentContext() }
    return stage.isOnMain
  }
}

extension StageExecutor: SchedulingExecutor {
  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob,
    at instant: C.Instant,
    tolerance: C.Duration?,
    clock: C
  ) {
    keep(UnownedJob(job), for: Self.delay(until: instant, of: clock))
  }

  /// Sends a job to its stage: the stage of this thread, or the one on which its task was created.
  /// Returns false if the job belongs to no stage.
  fileprivate static func takes(_ job: UnownedJob, onMain: Bool) -> Bool {
    if let stage = cvt_current_stage() {
      let stage = Unmanaged<StageExecutor>.fromOpaque(stage)
      if stage._withUnsafeGuaranteedRef({ $0.adopt(job, onMain: onMain) }) { return true }
    }
    if let probe = cvt_current_probe() {
      probe.pointee = Runtime.taskNumber(of: job)
      job.runSynchronously(on: Runtime.genericExecutor)
      return true
    }
    guard Runtime.isTask(job) else { return false }
    return StageRegistry.deliver(job, task: Runtime.taskNumber(of: job), onMain: onMain)
      || OutsideWork.takes(job, onMain: onMain)
  }

  fileprivate static func keeps<C: Clock>(
    _ job: UnownedJob,
    until instant: C.Instant,
    of clock: C
  ) -> Bool {
    guard let stage = current else { return false }
    stage.keep(job, for: delay(until: instant, of: clock))
    return true
  }

  private static func delay<C: Clock>(until instant: C.Instant, of clock: C) -> Duration {
    guard let delay = clock.now.duration(to: instant) as? Duration else {
      preconditionFailure("Only clocks that measure in Duration can sleep on a stage.")
    }
    return delay
  }
}
