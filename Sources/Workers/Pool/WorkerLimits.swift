/// The resource limits of a worker.
package struct WorkerLimits: Sendable {
  /// The time limit of one step, in milliseconds, measured by `PlayClock`.
  package var timeoutInMilliseconds: Int
  /// The memory limit of the process, in bytes.
  package var memoryLimit: Int
  /// Whether a worker that is ended at the time limit shall say what it does.
  package var asksLateWork: Bool

  package init(
    timeoutInMilliseconds: Int = 10_000,
    memoryLimit: Int = 1 << 30,
    asksLateWork: Bool = false
  ) {
    self.asksLateWork = asksLateWork
    self.timeoutInMilliseconds = timeoutInMilliseconds
    self.memoryLimit = memoryLimit
  }
}
