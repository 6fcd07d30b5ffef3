import ArgumentParser
import Harness
import Workers

/// The number of workers of `explore`, and their limits.
struct SearchWorkerOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Number of workers. (default: one per processor)", valueName: "N"),
    transform: NumberOption.reader(1...1_000, example: 4)
  )
  var jobs: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum time of a run. Time in which other programs use the processors does not count. (default: 10s)",
      valueName: "DURATION"
    ),
    transform: RealDuration.init(typed:)
  )
  var timeout: RealDuration?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum memory of a run's process, if the system reports it. (default: 1GB)",
      valueName: "SIZE"
    ),
    transform: MemorySize.init(typed:)
  )
  var memory: MemorySize?

  func validate() throws {
    try memory?.check()
  }

  var count: Int { jobs ?? ProcessControl.processorCount }

  var limits: WorkerLimits {
    var limits = WorkerLimits()
    if let timeout {
      limits.timeoutInMilliseconds = max(1, Int(timeout.duration / .milliseconds(1)))
    }
    if let memory { limits.memoryLimit = memory.bytes }
    return limits
  }
}
