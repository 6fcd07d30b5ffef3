#if canImport(Testing)
import Workers
internal import CCrashNotice
import RehearsalBase
import Synchronization

/// A task with its own thread, on which it plays runs. A crash, or a run over its time limit, ends the thread and not the process.
final class RunThread<Value: Sendable>: Sendable {
  /// The end of the thread.
  enum End {
    /// The task has returned a value or an error.
    case result(Result<Value, any Error>)
    /// The thread was stopped before the end of its task.
    case stopped(RunStop)
  }

  private let notice: RunNotice
  private let loop = JobLoop()
  private let result = ResultBox<Value>()
  private let task: Task<Void, Never>

  /// - Parameters:
  ///   - notice: the state of the runs.
  ///   - body: the task. It inherits task-local values.
  init(_ notice: RunNotice, _ body: @escaping @Sendable () async throws -> Value) {
    self.notice = notice
    task = Task(executorPreference: loop) { [loop, result] in
      do {
        result.set(.success(try await body()))
      } catch {
        result.set(.failure(error))
      }
      loop.end()
    }
  }

  /// Starts the thread and waits for its end. Cancellation cancels its task.
  ///
  /// - Parameter milliseconds: the time limit of each run, as `PlayClock` counts.
  /// - Returns: the end of the thread.
  func end(milliseconds: Int = RunStop.limitInMilliseconds) async -> End {
    await withTaskCancellationHandler {
      wait(milliseconds: milliseconds)
    } onCancel: {
      notice.isCancelled.store(true, ordering: .relaxed)
      task.cancel()
    }
  }

  /// Starts the thread and blocks the current one until its end. Standard error names a run that takes long.
  ///
  /// - Parameter milliseconds: the time limit of each run, as `PlayClock` counts.
  /// - Returns: the end of the thread.
  func wait(milliseconds: Int = RunStop.limitInMilliseconds) -> End {
    ReplayWatch.shared.watch(notice.subject) { wait(until: RunLimit(milliseconds, notice)) }
  }

  private func wait(until limit: RunLimit) -> End {
    CrashWords.prepare()
    let context = Unmanaged.passRetained(loop)
    let end = withExtendedLifetime(limit) {
      ccn_do(
        notice.words,
        runThreadLoop,
        context.toOpaque(),
        isRunLate,
        Unmanaged.passUnretained(limit).toOpaque()
      )
    }
    switch Int(end) {
    case 0:
      guard let result = result.value else {
        preconditionFailure("The loop ended before its task.")
      }
      return .result(result)
    case CCN_NO_THREAD:
      context.release()
      return .result(.failure(NoThread()))
    default:
      keepNotice()
      return .stopped(notice.stop(end, limitInMilliseconds: limit.milliseconds))
    }
  }

  /// Retains the state that a thread without an end still uses.
  private func keepNotice() { _ = Unmanaged.passRetained(notice) }
}

private struct NoThread: Error, CustomStringConvertible {
  var description: String { "cannot explore: the system has no thread or no pipe left" }
}

private func runThreadLoop(_ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  Unmanaged<JobLoop>.fromOpaque(context).takeRetainedValue().run()
}

/// The time limit of each run of a thread.
private final class RunLimit {
  let milliseconds: Int
  private let notice: RunNotice
  private var run: Int
  private var clock = PlayClock(start: ProcessControl.milliseconds)

  init(_ milliseconds: Int, _ notice: RunNotice) {
    (self.milliseconds, self.notice) = (milliseconds, notice)
    run = notice.turn
  }

  /// Returns whether the time of a run is over. Called by one thread.
  func isOver() -> Bool {
    let now = ProcessControl.milliseconds
    if exchange(&run, with: notice.turn) != run { clock = PlayClock(start: now) }
    return clock.isOver(limit: milliseconds, at: now, thread: notice.thread)
  }
}

private func isRunLate(_ limit: UnsafeMutableRawPointer?) -> Int32 {
  guard let limit else { return 0 }
  return Unmanaged<RunLimit>.fromOpaque(limit).takeUnretainedValue().isOver() ? 1 : 0
}

private final class ResultBox<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)

  var value: Result<Value, any Error>? { result.withLock(\.self) }

  func set(_ value: Result<Value, any Error>) { result.withLock { $0 = value } }
}

/// An executor that runs the jobs of one task on the thread of `run`.
private final class JobLoop: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let ready = ThreadSignal()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    ready.post()
  }

  /// Runs jobs until the task has ended.
  func run() {
    while true {
      ready.wait()
      guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Ends `run`, because the task has no further jobs.
  func end() { ready.post() }
}
#endif
