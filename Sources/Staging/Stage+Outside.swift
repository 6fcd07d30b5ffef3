import Synchronization

extension Stage {
  /// Waits for something outside of the stage, such as a socket. Virtual time stands still
  /// meanwhile, and the driving thread waits.
  ///
  /// Whatever thread resumes `body`, it continues on the stage: a task is known by its number.
  /// Cancelling does what `body` makes of it.
  ///
  /// - Throws: what `body` throws.
  public func outside<T>(_ body: () async throws -> T) async rethrows -> T {
    let task = executor.beginOutside()
    defer {
      executor.endOutside(of: task)
      if !isCurrent { executor.inbox.nudge() }
    }
    return try await body()
  }
}

extension Stage {
  /// Runs `body` at once as if this thread ran no stage: clocks tell real time, and tasks go where
  /// they go elsewhere. For a host that has to measure, or to wait for, something real.
  ///
  /// - Throws: what `body` throws.
  public static func withoutStage<T>(_ body: () throws -> T) rethrows -> T {
    try StageExecutor.leavingThread(body)
  }
}
