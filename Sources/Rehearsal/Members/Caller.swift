import Loading
import Staging

/// A task that awaits a start, as a view's `.task` does.
@MainActor final class Caller {
  private(set) var isOver = false
  /// Nil if the start was refused, or has not happened yet.
  private(set) var attempt: Attempt?
  private var task: Task<Void, Never>?

  /// Runs work in a task that begins as soon as the stage runs.
  ///
  /// - Parameters:
  ///   - stage: the stage of the task. The stage does not check this task, but the work that it
  ///     awaits.
  ///   - isCancelled: whether the task is cancelled already.
  ///   - work: the work of the task.
  ///   - attempt: returns the attempt that the work awaits, after its first suspension. The closure
  ///     is not kept, because it retains the member, which retains its callers.
  func begin(
    on stage: Stage,
    isCancelled: Bool,
    _ work: @escaping @MainActor () async -> Void,
    attempt: @escaping @MainActor () -> Attempt?
  ) {
    // Two tasks: `Task.immediate` starts at once only if the runtime knows that it is on the main
    // actor. That holds in a job, but not in a command, and depends on the program.
    let starter = Task { @MainActor in
      let caller = Task.immediate { @MainActor in
        if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
        await work()
        isOver = true
      }
      stage.disown(caller)
      task = caller
      self.attempt = attempt()
    }
    stage.disown(starter)
  }

  func cancel() { task?.cancel() }
}
