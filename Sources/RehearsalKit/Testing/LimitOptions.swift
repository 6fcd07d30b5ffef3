import ArgumentParser
import Rehearsal
import Workers

/// The limits of `test`: workers, time and memory; reads durations and amounts of memory of all subcommands.
struct LimitOptions: ParsableArguments {
  // With another parsing strategy the parser reports a value that begins with a dash as missing.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Number of workers. (default: one per processor)", valueName: "N"),
    transform: NumberOption.reader(1...Int.max, example: 4)
  )
  var jobs: Int?

  @Flag(
    help:
      "Stop at the first failure. Transcripts that failed last are replayed first, then slow ones."
  )
  var failFast = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum time of a transcript. Time in which other programs use the processors does not count. (default: 10s)",
      valueName: "DURATION"
    ),
    transform: RealDuration.init(typed:)
  )
  var timeout: RealDuration?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum real time of the whole run. A longer run fails and lists the transcripts that were not replayed.",
      valueName: "DURATION"
    ),
    transform: RealDuration.init(typed:)
  )
  var totalTimeout: RealDuration?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum memory of a transcript's process, if the system reports it. (default: 1GB)",
      valueName: "SIZE"
    ),
    transform: MemorySize.init(typed:)
  )
  var memory: MemorySize?

  /// The names of the given flags.
  var given: [String] {
    GivenFlags.names([
      "--jobs": jobs != nil, "--fail-fast": failFast, "--timeout": timeout != nil,
      "--total-timeout": totalTimeout != nil, "--memory": memory != nil,
    ])
  }

  func validate() throws {
    try memory?.check()
  }

  /// Sets the options of the runner.
  func apply(to options: inout TranscriptRunner.Options) {
    options.jobs = jobs
    options.failFast = failFast
    if let timeout { options.timeout = timeout.duration }
    options.totalTimeout = totalTimeout?.duration
    if let memory { options.memoryLimit = memory.bytes }
  }
}

/// A duration in the spelling of commands: `250ms`, `2s`.
struct RealDuration {
  let duration: Duration

  init(duration: Duration) {
    self.duration = duration
  }

  /// - Throws: a validation error.
  init(typed text: String) throws {
    guard let duration = CommandText.duration(text), duration > .zero else {
      throw ValidationError("a duration is above zero and has a unit, such as 250ms, 10s or 2m")
    }
    self.duration = duration
  }
}

/// An amount of memory: `512MB`, `2GB`.
struct MemorySize {
  static let least = 64 << 20

  let bytes: Int

  init(bytes: Int) {
    self.bytes = bytes
  }

  /// - Throws: a validation error if the amount is too small for a session.
  func check() throws {
    guard bytes < Self.least else { return }
    let least = MemoryAmount.text(Self.least)
    throw ValidationError("--memory takes at least \(least); a session needs that much")
  }

  /// - Throws: a validation error.
  init(typed text: String) throws {
    guard let bytes = MemoryAmount.bytes(text) else {
      throw ValidationError("an amount of memory has a unit, such as 512MB or 2GB")
    }
    self.bytes = bytes
  }
}
