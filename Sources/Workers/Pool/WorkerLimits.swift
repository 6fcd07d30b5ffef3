/// The resource limits of a worker.
package struct WorkerLimits: Sendable {
  /// The time limit of one step, in milliseconds, measured by `PlayClock`.
  package var timeoutInMilliseconds: Int
  /// The memory limit of the process, in bytes.
  package var memoryLimit: Int

  package init(timeoutInMilliseconds: Int = 10_000, memoryLimit: Int = 1 << 30) {
    self.timeoutInMilliseconds = timeoutInMilliseconds
    self.memoryLimit = memoryLimit
  }
}
