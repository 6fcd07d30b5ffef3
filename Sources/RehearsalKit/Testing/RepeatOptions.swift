import ArgumentParser
import Rehearsal

/// How `test` finds transcripts that do not always end the same way, and lives with those that are known.
struct RepeatOptions: ParsableArguments {
  /// By what orders are shuffled that nobody gives a seed: the same run plays the same orders.
  private static let usualSeed: UInt64 = 1

  @Option(
    name: .customLong("repeat"),
    parsing: .unconditional,
    help: ArgumentHelp("Play each N times, in shuffled orders.", valueName: "N"),
    transform: NumberOption.reader(1...10_000, example: 20)
  )
  var repeats: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Shuffle the order by this number; another gives another order. (default with --repeat: 1)",
      valueName: "SEED"
    ),
    transform: NumberOption.reader(0...UInt64.max, example: 7)
  )
  var orderSeed: UInt64?

  @Flag(
    help: "Play each twice while the machine is kept busy; both must print the same, byte for byte."
  )
  var checkDeterminism = false

  @Option(
    help: ArgumentHelp(
      "Forgive the failures of the files that FILE lists; a line that is not needed any more fails.",
      valueName: "FILE"
    ),
    completion: .file()
  )
  var knownFlaky: String?

  func validate() throws {
    if checkDeterminism, (repeats ?? 1) > 1 {
      throw ValidationError("--check-determinism plays each twice already; leave --repeat out.")
    }
  }

  /// Whether transcripts are played more than once.
  var isOn: Bool { (repeats ?? 1) > 1 || checkDeterminism }

  /// Those that were given.
  var given: [String] {
    GivenFlags.names([
      "--repeat": repeats != nil, "--order-seed": orderSeed != nil,
      "--check-determinism": checkDeterminism,
      "--known-flaky": knownFlaky != nil,
    ])
  }

  /// Puts them among the runner's options.
  func apply(to options: inout TranscriptRunner.Options) {
    options.repeats = repeats ?? 1
    options.orderSeed = orderSeed ?? ((repeats ?? 1) > 1 ? Self.usualSeed : nil)
    options.checksDeterminism = checkDeterminism
    options.knownFlaky = knownFlaky
  }
}
