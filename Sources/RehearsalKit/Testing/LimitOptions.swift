import ArgumentParser
import Rehearsal

/// What the transcripts of `test` may use.
struct LimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Play N at a time; by default one to a processor.", valueName: "N")
  )
  var jobs: Int?

  @Flag(
    help:
      "Stop at the first failure, in the order of playing: what failed last, then the slow ones."
  )
  var failFast = false

  @Option(
    help: ArgumentHelp(
      "Stop a transcript that takes longer, in real time.",
      valueName: "DURATION"
    )
  )
  var timeout: RealDuration = RealDuration(duration: .seconds(10))

  @Option(
    help: ArgumentHelp(
      "Stop the run when it takes longer, in real time; it fails, and names what was not played.",
      valueName: "DURATION"
    )
  )
  var totalTimeout: RealDuration?

  @Option(
    help: ArgumentHelp(
      "Stop a transcript that needs more memory, where the system tells.",
      valueName: "SIZE"
    )
  )
  var memory: MemorySize = MemorySize(bytes: 1 << 30)

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs takes a number of at least 1.") }
    if memory.bytes < MemorySize.least {
      let least = ByteCount.text(MemorySize.least)
      throw ValidationError("--memory takes at least \(least); a session needs that much.")
    }
  }

  /// Puts them among the runner's options.
  func apply(to options: inout TranscriptRunner.Options) {
    options.jobs = jobs
    options.failFast = failFast
    options.timeout = timeout.duration
    options.totalTimeout = totalTimeout?.duration
    options.memoryLimit = memory.bytes
  }
}

/// A duration as the command language writes it: `250ms`, `2s`.
struct RealDuration: ExpressibleByArgument {
  let duration: Duration

  init(duration: Duration) {
    self.duration = duration
  }

  init?(argument: String) {
    guard let duration = CommandText.duration(argument), duration > .zero else { return nil }
    self.duration = duration
  }

  var defaultValueDescription: String { "10s" }
}

/// An amount of memory: `512MB`, `2GB`.
struct MemorySize: ExpressibleByArgument {
  static let least = 64 << 20

  let bytes: Int

  init(bytes: Int) {
    self.bytes = bytes
  }

  init?(argument: String) {
    guard let bytes = ByteCount.bytes(argument) else { return nil }
    self.bytes = bytes
  }

  var defaultValueDescription: String { ByteCount.text(bytes) }
}
