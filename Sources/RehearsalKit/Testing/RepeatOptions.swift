import ArgumentParser
import Rehearsal

/// The options of `test` that find flaky transcripts and tolerate known ones.
struct RepeatOptions: ParsableArguments {
  /// The seed of shuffled orders if none is given, so that the same call plays the same orders.
  private static let usualSeed: UInt64 = 1

  @Option(
    name: .customLong("repeat"),
    parsing: .unconditional,
    help: ArgumentHelp("Replay each transcript N times, in shuffled orders.", valueName: "N"),
    transform: NumberOption.reader(1...10_000, example: 20)
  )
  var repeats: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Random seed of the order. (default with --repeat: 1)",
      valueName: "SEED"
    ),
    transform: NumberOption.reader(0...UInt64.max, example: 7)
  )
  var orderSeed: UInt64?

  @Flag(
    help:
      "Replay each transcript twice, while other work keeps the processors busy, and fail if the output differs in a byte."
  )
  var checkDeterminism = false

  @Option(
    help: ArgumentHelp(
      "File of known-flaky transcripts: the first line is 'limit N', where N is the number of paths; then one path a line. Their failures are reported and do not fail the run. With --repeat or --check-determinism, an entry whose transcript passes each time fails the run.",
      valueName: "FILE"
    ),
    completion: .file()
  )
  var knownFlaky: String?

  func validate() throws {
    if checkDeterminism, (repeats ?? 1) > 1 {
      throw ValidationError(
        "--check-determinism already replays each transcript twice; remove --repeat"
      )
    }
  }

  /// Whether each transcript is played more than once.
  var isOn: Bool { (repeats ?? 1) > 1 || checkDeterminism }

  /// The names of the given flags.
  var given: [String] {
    GivenFlags.names([
      "--repeat": repeats != nil, "--order-seed": orderSeed != nil,
      "--check-determinism": checkDeterminism,
      "--known-flaky": knownFlaky != nil,
    ])
  }

  /// Sets the options of the runner.
  func apply(to options: inout TranscriptRunner.Options) {
    options.repeats = repeats ?? 1
    options.orderSeed = orderSeed ?? ((repeats ?? 1) > 1 ? Self.usualSeed : nil)
    options.checksDeterminism = checkDeterminism
    options.knownFlaky = knownFlaky
  }
}
