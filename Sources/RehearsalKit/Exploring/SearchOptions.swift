import ArgumentParser
import Exploring
import Rehearsal

/// Which schedules `explore` tries, and how many.
struct SearchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How schedules are chosen: random, priorities or exhaustive.",
      valueName: "STRATEGY"
    ),
    completion: .list(StrategyName.allCases.map(\.rawValue))
  )
  var strategy: StrategyName?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Perform it so many times at most. (default: 10000, or with --for as often as there is time)",
      valueName: "N"
    ),
    transform: NumberOption.reader(1...1_000_000_000, example: 10_000)
  )
  var schedules: Int?

  @Option(help: ArgumentHelp("Choose by chance from this number on.", valueName: "N"))
  var seed: UInt64 = 0

  @Option(
    help: ArgumentHelp(
      "How often priorities change in a run, with --strategy priorities (default: 3).",
      valueName: "N"
    ),
    transform: NumberOption.reader(0...1_000, example: 3)
  )
  var changes: Int?

  @Option(
    name: .customLong("for"),
    parsing: .unconditional,
    help: ArgumentHelp("Stop after this much real time.", valueName: "DURATION"),
    transform: RealDuration.init(typed:)
  )
  var duration: RealDuration?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop when N runs in a row have brought nothing new. (default: never)",
      valueName: "N"
    ),
    transform: NumberOption.reader(1...1_000_000_000, example: 10_000)
  )
  var patience: Int?

  @Flag(help: "Go on behind the first failure.")
  var keepGoing = false

  func validate() throws {
    if changes != nil, strategy != .priorities {
      throw ValidationError("--changes goes with --strategy priorities.")
    }
    if seed > UInt64.max - UInt64(runs) {
      throw ValidationError("--seed leaves too few numbers behind it.")
    }
  }

  /// What is searched; without a strategy by chance.
  var plan: Exploration.Plan {
    Exploration.Plan(
      strategy?.strategy(changes: changes ?? 3) ?? .random,
      seeds: seed..<seed + UInt64(runs),
      patience: patience,
      goesOn: keepGoing
    )
  }

  private var runs: Int {
    schedules ?? (duration == nil ? ScriptSearch.usualRuns : 1_000_000_000)
  }

  /// How many runs there are, where somebody can tell.
  var budget: Int? { duration == nil || schedules != nil ? runs : nil }

  /// How long it may take.
  var milliseconds: Int? { duration.map { max(1, Int($0.duration / .milliseconds(1))) } }
}

/// A strategy as an argument.
enum StrategyName: String, ExpressibleByArgument, CaseIterable {
  case random, priorities, exhaustive

  func strategy(changes: Int) -> Strategy {
    switch self {
    case .random: .random
    case .priorities: .priorities(changes: changes)
    case .exhaustive: .exhaustive
    }
  }
}
