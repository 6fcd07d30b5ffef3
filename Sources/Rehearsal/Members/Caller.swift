import Loading
import Staging

/// Somebody who awaits a start in a task of their own, as a view's `.task` does.
@MainActor final class Caller {
  private(set) var isOver = false
  /// Nil where the start was refused, or is yet to come.
  private(set) var attempt: Attempt?
  private var task: Task<Void, Never>?

  /// Does something in a task that begins as soon as the stage runs.
  ///
  /// - Parameters:
  ///   - stage: the stage of the task. The stage does not check this task, but the work that it awaits.
  ///   - isCancelled: whether the task is cancelled already.
  ///   - work: what it does.
  ///   - attempt: what it awaits, once it has come to its first wait. It is not kept: it holds the member, which holds its
  ///     callers.
  func begin(
    on stage: Stage,
    isCancelled: Bool,
    _ work: @escaping @MainActor () async -> Void,
    attempt: @escaping @MainActor () -> Attempt?
  ) {
    // Two tasks, since one begins at once only where the runtime knows to be on the main actor: in
    // a job, but not in a command, and in which test or program a command is performed differs.
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
