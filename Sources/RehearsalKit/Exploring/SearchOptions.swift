import ArgumentParser
import Exploring
import Harness
import Rehearsal
import RehearsalBase

/// The options that select the schedules of `explore`, and its limits: strategy, seeds, shards, runs and time.
struct SearchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Strategy that chooses schedules: random, pct, pos, urw, surw, mixed or exhaustive. 'pct' gives tasks random priorities and changes them a few times: good for bugs that need only a few jobs in a certain order. 'pos' gives each job a random priority. 'urw' makes each order about equally probable; 'surw' only those of one actor's jobs, in each run another actor. 'mixed' uses random, pct, pos and urw in turn.",
      valueName: "STRATEGY"
    ),
    completion: .list(StrategyName.allCases.map(\.rawValue))
  )
  var strategy: StrategyName?

  @Option(
    help: ArgumentHelp(
      "With 'locks', other code may also run where synchronous code locks or unlocks, as after 'set preempt locks' in the script. There are many more schedules.",
      valueName: "locks"
    ),
    completion: .list([Preemption.locks.rawValue]),
    transform: { text in
      guard let preemption = Preemption(rawValue: text) else {
        throw ValidationError(
          "'\(text.printable(atMost: 30))' is unknown; only 'locks' is possible"
        )
      }
      return preemption
    }
  )
  var preempt: Preemption?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum number of runs in addition to the default schedule. Without --strategy, up to 1,000 systematic runs are not counted. (default: 10000; unlimited with --max-time)",
      valueName: "N"
    ),
    transform: NumberOption.reader(1...1_000_000_000, example: 10_000)
  )
  var schedules: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seed of the first random run; each further run has the next seed. (default: 0)",
      valueName: "N"
    ),
    transform: NumberOption.reader(0...UInt64.max, example: 7)
  )
  var seed: UInt64?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seeds of the random runs, from A to B - 1, in place of --seed and --schedules. 'rehearse report' merges the results of 0..500 and 500..1000.",
      valueName: "A..B"
    ),
    transform: SeedRange.init(typed:)
  )
  var seeds: SeedRange?

  @Option(
    name: .customLong("shard"),
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Search part I of N: a part of the random runs. 'rehearse report' merges the parts.",
      valueName: "I/N"
    ),
    transform: SelectionOptions.Shard.init(typed:)
  )
  var shards: [SelectionOptions.Shard] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Number of priority changes in a run of pct; their maximum in a run of mixed. (default: 3)",
      valueName: "N"
    ),
    transform: NumberOption.reader(0...1_000, example: 3)
  )
  var pctChanges: Int?

  @Option(
    name: .customLong("max-time"),
    parsing: .unconditional,
    help: ArgumentHelp(
      "Time limit of the search, in real time. Shortening the failing transcripts may take the same time again.",
      valueName: "DURATION"
    ),
    transform: RealDuration.init(typed:)
  )
  var maxTime: RealDuration?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop after N runs in a row without a new behaviour. Without --strategy, systematic runs do not count. (default: never)",
      valueName: "N"
    ),
    transform: NumberOption.reader(1...1_000_000_000, example: 10_000)
  )
  var stopAfter: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop when the next random run has a chance of at most N percent of a new behaviour, with 95 % confidence. Systematic runs do not count. (default: never)",
      valueName: "N%"
    ),
    transform: ProbabilityOption.init(typed:)
  )
  var until: ProbabilityOption?

  @Flag(
    help:
      "Continue with other runs after a failure. Each run ends at its first failure that is not ignored."
  )
  var keepGoing = false

  func validate() throws {
    if pctChanges != nil, let strategy, strategy != .pct, strategy != .mixed {
      throw ValidationError("--pct-changes needs --strategy pct or mixed")
    }
    if until != nil, strategy == .exhaustive {
      throw ValidationError(
        "--until needs random runs, and --strategy exhaustive has none; use mixed or another random strategy"
      )
    }
    try SelectionOptions.Shard.checkCount(of: shards)
    if let conflict { throw ValidationError(conflict) }
    if (seed ?? 0) > UInt64.max - UInt64(runs) {
      throw ValidationError("--seed is too large: too few seeds follow it")
    }
  }

  private var conflict: String? {
    if seeds != nil, seed != nil || schedules != nil {
      return "--seeds replaces --seed and --schedules; remove them"
    }
    if strategy == .exhaustive, seed != nil {
      return "--strategy exhaustive uses no seed; remove --seed"
    }
    return (seeds != nil ? "--seeds" : shard != nil ? "--shard" : nil).flatMap(conflict(ofPartsBy:))
  }

  /// Returns an error if the search cannot be divided.
  ///
  /// - Parameter origin: the flag or variable that asks for parts.
  /// - Returns: the error; nil if the search can be divided.
  func conflict(ofPartsBy origin: String) -> String? {
    if strategy == .exhaustive {
      return
        "\(origin) divides random seeds, and --strategy exhaustive has no seeds; use --jobs"
    }
    if stopAfter != nil {
      return
        "--stop-after needs the whole search, and \(origin) makes parts of it"
    }
    if until != nil {
      return "--until needs the whole search, and \(origin) makes parts of it"
    }
    if maxTime != nil, schedules == nil, seeds == nil {
      return "\(origin) divides a number of runs; add --schedules to --max-time"
    }
    return nil
  }

  /// The plan; without a strategy, of the random runs after the systematic ones.
  var plan: Exploration.Plan {
    Exploration.Plan(
      (strategy ?? .mixed).strategy(changes: pctChanges ?? 3),
      seeds: whole,
      stopAfter: stopAfter,
      until: until?.value,
      continuesAfterFailure: keepGoing
    )
  }

  /// The seeds of all parts.
  private var whole: Range<UInt64> {
    if let seeds { return seeds.value }
    let start = seed ?? 0
    return start..<start + UInt64(runs)
  }

  /// The requested part; nil for the whole.
  var shard: SelectionOptions.Shard? { shards.first }

  /// Returns the seeds of this process.
  func part(_ bazel: BazelVariables) -> SearchPart {
    let shard = (shard?.value ?? bazel.shard).map { ($0.index, $0.count) }
    return SearchPart(of: whole, shard, isNamedBySeeds: seeds != nil)
  }

  private var runs: Int {
    schedules ?? (maxTime == nil ? Exploration.Plan.usualRuns : 1_000_000_000)
  }

  /// Whether the number of runs is known.
  var hasBudget: Bool { maxTime == nil || schedules != nil || seeds != nil }

  /// The time limit.
  var milliseconds: Int? { maxTime.map { max(1, Int($0.duration / .milliseconds(1))) } }
}

/// A probability in percent, such as `1%`.
struct ProbabilityOption {
  /// Above 0 and below 1.
  let value: Double

  /// - Throws: a validation error.
  init(typed text: String) throws {
    guard text.hasSuffix("%"), text.utf8.allSatisfy({ $0.isDigit || ".%".utf8.contains($0) }),
      let percent = Double(text.dropLast()), percent > 0, percent < 100
    else { throw ValidationError("it takes a share above 0% and below 100%, such as 1%") }
    value = percent / 100
  }
}

/// A range of seeds, such as `0..500`.
struct SeedRange {
  let value: Range<UInt64>

  /// - Throws: a validation error.
  init(typed text: String) throws {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].isEmpty, let from = UInt64(parts[0]),
      let to = UInt64(parts[2]),
      from < to, to - from <= 1_000_000_000
    else {
      throw ValidationError(
        "it takes two numbers, the second larger, such as 0..500, which ends with 499"
      )
    }
    value = from..<to
  }
}

extension StrategyName: ExpressibleByArgument {}

extension Playable {
  /// The same commands in a session that also lets other code run there.
  func preempting(_ preemption: Preemption?) -> Playable {
    guard let preemption, let value = try? OptionValue(.preempt, preemption.rawValue) else {
      return self
    }
    return setting(value)
  }
}
