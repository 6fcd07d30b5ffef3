import ArgumentParser
import Harness
import Workers

/// Who performs what `explore` tries, and what they may use.
struct SearchWorkerOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Perform N at a time; by default one to a processor.", valueName: "N"),
    transform: NumberOption.reader(1...1_000, example: 4)
  )
  var jobs: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum time of a run: processor time and waiting. (default: 10s)",
      valueName: "DURATION"
    ),
    transform: RealDuration.init(typed:)
  )
  var timeout: RealDuration?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "End a run whose process needs more memory, where the system tells. (default: 1GB)",
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
