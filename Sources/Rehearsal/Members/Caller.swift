import Loading

/// Somebody who awaits a start in a task of their own, as a view's `.task` does.
@MainActor final class Caller {
  private(set) var isOver = false
  /// Nil where the start was refused.
  var attempt: Attempt?
  private var task: Task<Void, Never>?

  /// Runs `work` up to its first wait before this returns, as `await` in a running task would.
  ///
  /// With `isCancelled` the task is cancelled before the work begins.
  init(isCancelled: Bool, work: @escaping @MainActor () async -> Void) {
    task = Task.immediate { @MainActor in
      if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
      await work()
      self.isOver = true
    }
  }

  func cancel() { task?.cancel() }
}
