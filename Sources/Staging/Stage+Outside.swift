import Synchronization

extension Stage {
  /// Waits for something outside of the stage, such as a socket. Virtual time stands still meanwhile,
  /// and the driving thread waits.
  ///
  /// Whatever thread resumes `body`, it continues on the stage.
  public func outside<T>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> T
  ) async rethrows -> T {
    executor.outsideCount.wrappingAdd(1, ordering: .acquiringAndReleasing)
    defer { executor.outsideCount.wrappingSubtract(1, ordering: .acquiringAndReleasing) }
    return try await body()
  }
}
