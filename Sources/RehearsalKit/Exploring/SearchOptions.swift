import ArgumentParser
import Exploring
import Harness
import Rehearsal

/// Which schedules `explore` tries, and how many.
struct SearchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How schedules are chosen: random, priorities, mixed or exhaustive.",
      valueName: "STRATEGY"
    ),
    completion: .list(StrategyName.allCases.map(\.rawValue))
  )
  var strategy: StrategyName?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Perform it so many times at most, beside the plain run and, without --strategy, before that as many in order, a thousand at most. (default: 10000, or with --for as often as there is time)",
      valueName: "N"
    ),
    transform: NumberOption.reader(1...1_000_000_000, example: 10_000)
  )
  var schedules: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Choose by this number and those behind it. (default: 0)", valueName: "N"),
    transform: NumberOption.reader(0...UInt64.max, example: 7)
  )
  var seed: UInt64?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Choose by each of these numbers, the second left out: what 0..500 and 500..1000 find, 'report' puts together.",
      valueName: "A..B"
    ),
    transform: SeedRange.init(typed:)
  )
  var seeds: SeedRange?

  @Option(
    name: .customLong("shard"),
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Search the Ith of N parts, whose results 'report' puts together.",
      valueName: "I/N"
    ),
    transform: SelectionOptions.Shard.init(typed:)
  )
  var shards: [SelectionOptions.Shard] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How often priorities change in a run, with --strategy priorities or mixed (default: 3).",
      valueName: "N"
    ),
    transform: NumberOption.reader(0...1_000, example: 3)
  )
  var changes: Int?

  @Option(
    name: .customLong("for"),
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop after this much real time, and after as much again to make short what was found.",
      valueName: "DURATION"
    ),
    transform: RealDuration.init(typed:)
  )
  var duration: RealDuration?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop when N runs in a row have brought nothing new; without --strategy those behind the ones in order count. (default: never)",
      valueName: "N"
    ),
    transform: NumberOption.reader(1...1_000_000_000, example: 10_000)
  )
  var patience: Int?

  @Flag(
    help:
      "Continue after a failure. A run still ends at its first failure that the default schedule has not."
  )
  var keepGoing = false

  func validate() throws {
    if changes != nil, strategy == .random || strategy == .exhaustive {
      throw ValidationError("--changes goes with --strategy priorities or mixed.")
    }
    try SelectionOptions.Shard.checkCount(of: shards)
    if let conflict { throw ValidationError(conflict) }
    if (seed ?? 0) > UInt64.max - UInt64(runs) {
      throw ValidationError("--seed leaves too few numbers behind it.")
    }
  }

  private var conflict: String? {
    if seeds != nil, seed != nil || schedules != nil {
      return "--seeds says how many and from where on; leave --seed and --schedules out."
    }
    if strategy == .exhaustive, seed != nil {
      return "--seed is for what is chosen by numbers; --strategy exhaustive tries all in order."
    }
    return (seeds != nil ? "--seeds" : shard != nil ? "--shard" : nil).flatMap(conflict(ofPartsBy:))
  }

  /// Why there are no parts of it.
  ///
  /// - Parameter origin: what asks for them.
  /// - Returns: a sentence; nil where there are.
  func conflict(ofPartsBy origin: String) -> String? {
    if strategy == .exhaustive {
      return
        "\(origin) deals out what is chosen by numbers; --strategy exhaustive has workers: --jobs."
    }
    if patience != nil {
      return
        "--patience is about a whole search, and \(origin) makes parts that know only themselves."
    }
    if duration != nil, schedules == nil, seeds == nil {
      return "\(origin) cuts a number of runs; give one with --schedules beside --for."
    }
    return nil
  }

  /// What is searched; without a strategy what comes behind those in order.
  var plan: Exploration.Plan {
    Exploration.Plan(
      (strategy ?? .mixed).strategy(changes: changes ?? 3),
      seeds: whole,
      patience: patience,
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

  /// Which of the seeds are for this process.
  func part(_ bazel: BazelVariables) -> SearchPart {
    let shard = (shard?.value ?? bazel.shard).map { ($0.index, $0.count) }
    return SearchPart(of: whole, shard, isNamedBySeeds: seeds != nil)
  }

  private var runs: Int {
    schedules ?? (duration == nil ? Exploration.Plan.usualRuns : 1_000_000_000)
  }

  /// Whether somebody can tell how many runs there are.
  var hasBudget: Bool { duration == nil || schedules != nil || seeds != nil }

  /// How long it may take.
  var milliseconds: Int? { duration.map { max(1, Int($0.duration / .milliseconds(1))) } }
}

/// A row of seeds, as `0..500`.
struct SeedRange {
  let value: Range<UInt64>

  /// - Throws: what is valid.
  init(typed text: String) throws {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].isEmpty, let from = UInt64(parts[0]),
      let to = UInt64(parts[2]),
      from < to, to - from <= 1_000_000_000
    else {
      throw ValidationError(
        "it takes two numbers, the second larger, as 0..500, which ends with 499."
      )
    }
    value = from..<to
  }
}

extension StrategyName: ExpressibleByArgument {}
