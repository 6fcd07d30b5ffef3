/// What a task waits for in a lock, a channel or a latch of Rehearse, for reports.
package struct NamedWait: Sendable {
  /// The words after `waits for`: `AsyncLock 'accounts'`.
  let text: String
  /// The task that must continue first; nil if it is unknown.
  let holder: Stage.TaskID?

  package init(_ text: String, holder: Stage.TaskID? = nil) {
    (self.text, self.holder) = (text, holder)
  }

  func reason(calling label: (UnsafeMutableRawPointer) -> String) -> WaitReason {
    let held = holder?.pointer.map { ", which \(label($0)) holds" } ?? ""
    return .object(text + held)
  }
}

extension Stage {
  /// Calls `body`, where the running task may wait. Reports name the lock, channel or latch.
  ///
  /// - Parameters:
  ///   - wait: returns what the task waits for, at the time of the report.
  ///   - body: the code that waits.
  /// - Returns: the value of `body`.
  /// - Throws: the error of `body`.
  package static func naming<Value>(
    _ wait: @escaping @Sendable () -> NamedWait,
    during body: () async throws -> Value
  ) async rethrows -> Value {
    guard let history = StageExecutor.current?.tasks?.history, let task = Runtime.currentTask()
    else { return try await body() }
    history.namedWaits[task] = wait
    defer {
      // A task may continue on another thread after its stage was closed.
      if StageExecutor.current?.tasks?.history === history { history.namedWaits[task] = nil }
    }
    return try await body()
  }
}
