/// What a worker may use.
package struct WorkerLimits: Sendable {
  /// The time of one step, in milliseconds, as `PlayClock` counts it.
  package var timeoutInMilliseconds: Int
  /// The memory of the process, in bytes.
  package var memoryLimit: Int

  package init(timeoutInMilliseconds: Int = 10_000, memoryLimit: Int = 1 << 30) {
    self.timeoutInMilliseconds = timeoutInMilliseconds
    self.memoryLimit = memoryLimit
  }
}
