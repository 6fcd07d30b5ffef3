import Loading

/// Somebody who awaits a start in a task of their own, as a view's `.task` does.
@MainActor final class Caller {
  private(set) var isOver = false
  /// Nil where the start was refused, or is yet to come.
  private(set) var attempt: Attempt?
  private var task: Task<Void, Never>?
  private let findAttempt: () -> Attempt?

  /// A caller that asks `attempt` what it awaits, once its work has come to its first wait.
  init(attempt: @escaping () -> Attempt?) {
    findAttempt = attempt
  }

  /// Does `work` in a task that begins as soon as the stage runs, cancelled already if `isCancelled`.
  func begin(isCancelled: Bool, _ work: @escaping @MainActor () async -> Void) {
    // Two tasks, since one begins at once only where the runtime knows to be on the main actor: in
    // a job, but not in a command, and in which test or program a command is performed differs.
    Task { @MainActor in
      task = Task.immediate { @MainActor in
        if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
        await work()
        isOver = true
      }
      attempt = findAttempt()
    }
  }

  func cancel() { task?.cancel() }
}
