import Synchronization

extension Stage {
  /// Waits for something outside of the stage, such as a socket. Virtual time stands still meanwhile,
  /// and the driving thread waits.
  ///
  /// Whatever thread resumes `body`, it continues on the stage. Cancelling does what `body` makes of it.
  public func outside<T>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> T
  ) async rethrows -> T {
    executor.outsideCount.wrappingAdd(1, ordering: .acquiringAndReleasing)
    defer {
      executor.outsideCount.wrappingSubtract(1, ordering: .acquiringAndReleasing)
      if !isCurrent { executor.inbox.nudge() }
    }
    // The preference brings back what a task's number cannot: an actor that another thread wakes.
    return try await withTaskExecutorPreference(executor) {
      _ = isolation
      return try await body()
    }
  }
}
