#if canImport(Testing)
import Workers
internal import CCrashNotice
import Dispatch
import Harness
import Rehearsal
import Synchronization

/// A task on a thread of its own, which plays runs there: what crashes in them need not take the process with it.
final class RunThread<Value: Sendable>: Sendable {
  /// How it has ended.
  enum End {
    /// With a value, or an error.
    case result(Result<Value, any Error>)
    /// By this signal. The thread stays as it is, with all that it holds.
    case crash(Int32)
    /// Not within its time. The thread goes on.
    case late
  }

  private let notice: RunNotice
  private let loop = JobLoop()
  private let result = ResultBox<Value>()
  private let task: Task<Void, Never>

  /// - Parameters:
  ///   - notice: what is known of the runs.
  ///   - body: the task, which has what is local to the present one.
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

  /// Starts the thread, and waits until it has ended. Cancellation is that of its task.
  func end() async -> End {
    await withTaskCancellationHandler {
      wait()
    } onCancel: {
      task.cancel()
    }
  }

  /// Starts the thread, and keeps the present one until it has ended.
  ///
  /// - Parameter milliseconds: the limit of the time that `PlayClock` counts; nil for none, and then a run that takes
  ///   its time is named on standard error.
  /// - Returns: how it has ended.
  func wait(milliseconds: Int? = nil) -> End {
    guard let milliseconds else {
      return ReplayWatch.shared.watch(notice.subject) { wait(until: nil) }
    }
    return wait(until: RunLimit(milliseconds, notice))
  }

  private func wait(until limit: RunLimit?) -> End {
    CrashWords.prepare()
    let context = Unmanaged.passRetained(loop)
    let end = withExtendedLifetime(limit) {
      ccn_do(
        notice.words,
        runThreadLoop,
        context.toOpaque(),
        limit == nil ? nil : isRunLate,
        limit.map { Unmanaged.passUnretained($0).toOpaque() }
      )
    }
    switch Int(end) {
    case 0:
      guard let result = result.value else {
        preconditionFailure("A loop ends when its task has.")
      }
      return .result(result)
    case CCN_LATE:
      keepNotice()
      return .late
    case CCN_NO_THREAD:
      context.release()
      return .result(.failure(NoThread()))
    default:
      keepNotice()
      return .crash(end)
    }
  }

  /// Keeps what a thread uses that has not come to its end.
  private func keepNotice() { _ = Unmanaged.passRetained(notice) }
}

private struct NoThread: Error, CustomStringConvertible {
  var description: String { "the system has no thread, or no pipe, left to explore on" }
}

private func runThreadLoop(_ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  Unmanaged<JobLoop>.fromOpaque(context).takeRetainedValue().run()
}

/// The time that the runs of a thread may take.
private final class RunLimit {
  private let milliseconds: Int
  private let notice: RunNotice
  private var clock = PlayClock(start: ProcessControl.milliseconds)

  init(_ milliseconds: Int, _ notice: RunNotice) {
    (self.milliseconds, self.notice) = (milliseconds, notice)
  }

  /// Asked by one thread.
  func isOver() -> Bool {
    clock.isOver(limit: milliseconds, at: ProcessControl.milliseconds, thread: notice.thread)
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

/// Does the jobs of one task on the thread that runs it.
private final class JobLoop: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let ready = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    ready.signal()
  }

  /// Does jobs until the task has ended.
  func run() {
    while true {
      ready.wait()
      guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Says that the task has no further jobs.
  func end() { ready.signal() }
}
#endif
