import ArgumentParser
import Rehearsal
import Workers

/// What the transcripts of `test` may use.
struct LimitOptions: ParsableArguments {
  // A value may begin with a dash, or else the parser would say that it is missing.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Play N at a time; by default one to a processor.", valueName: "N"),
    transform: NumberOption.reader(1...Int.max, example: 4)
  )
  var jobs: Int?

  @Flag(
    help:
      "Stop at the first failure, in the order of playing: what failed last, then the slow ones."
  )
  var failFast = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum time of a transcript: processor time and waiting. (default: 10s)",
      valueName: "DURATION"
    ),
    transform: RealDuration.init(typed:)
  )
  var timeout: RealDuration?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum real time of the whole run. A longer run fails and names what was not played.",
      valueName: "DURATION"
    ),
    transform: RealDuration.init(typed:)
  )
  var totalTimeout: RealDuration?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop a transcript that needs more memory, where the system tells. (default: 1GB)",
      valueName: "SIZE"
    ),
    transform: MemorySize.init(typed:)
  )
  var memory: MemorySize?

  /// Those that were given.
  var given: [String] {
    GivenFlags.names([
      "--jobs": jobs != nil, "--fail-fast": failFast, "--timeout": timeout != nil,
      "--total-timeout": totalTimeout != nil, "--memory": memory != nil,
    ])
  }

  func validate() throws {
    try memory?.check()
  }

  /// Puts them among the runner's options.
  func apply(to options: inout TranscriptRunner.Options) {
    options.jobs = jobs
    options.failFast = failFast
    if let timeout { options.timeout = timeout.duration }
    options.totalTimeout = totalTimeout?.duration
    if let memory { options.memoryLimit = memory.bytes }
  }
}

/// A duration as the command language writes it: `250ms`, `2s`.
struct RealDuration {
  let duration: Duration

  init(duration: Duration) {
    self.duration = duration
  }

  /// - Throws: what is valid.
  init(typed text: String) throws {
    guard let duration = CommandText.duration(text), duration > .zero else {
      throw ValidationError("a duration above zero has a unit, as 250ms, 10s or 2m.")
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

  /// - Throws: what is valid where it is too little for a session.
  func check() throws {
    guard bytes < Self.least else { return }
    let least = MemoryAmount.text(Self.least)
    throw ValidationError("--memory takes at least \(least); a session needs that much.")
  }

  /// - Throws: what is valid.
  init(typed text: String) throws {
    guard let bytes = MemoryAmount.bytes(text) else {
      throw ValidationError("an amount of memory has a unit, as 512MB or 2GB.")
    }
    self.bytes = bytes
  }
}
