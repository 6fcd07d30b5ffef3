import ArgumentParser
import Rehearsal

/// How `test` finds transcripts that do not always end the same way, and lives with those that are known.
struct RepeatOptions: ParsableArguments {
  /// Playings of transcripts in one run at most.
  private static let limit = 10_000
  /// By what orders are shuffled that nobody gives a seed: the same run plays the same orders.
  private static let usualSeed: UInt64 = 1

  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp("Play each N times, in shuffled orders.", valueName: "N")
  )
  var repeats: Int?

  @Option(
    help: ArgumentHelp(
      "Shuffle the order by this number; another gives another order. (default with --repeat: 1)",
      valueName: "SEED"
    )
  )
  var orderSeed: UInt64?

  @Flag(
    help: "Play each twice while the machine is kept busy; both must print the same, byte for byte."
  )
  var selfCheck = false

  @Option(
    help: ArgumentHelp(
      "Forgive the failures of the files that FILE lists; a line that is not needed any more fails.",
      valueName: "FILE"
    ),
    completion: .file()
  )
  var knownFlaky: String?

  func validate() throws {
    if let repeats, !(1...Self.limit).contains(repeats) {
      throw ValidationError("--repeat takes a number from 1 to \(Self.limit).")
    }
    if selfCheck, (repeats ?? 1) > 1 {
      throw ValidationError("--self-check plays each twice already; leave --repeat out.")
    }
  }

  /// Whether transcripts are played more than once.
  var isOn: Bool { (repeats ?? 1) > 1 || selfCheck }

  /// Puts them among the runner's options.
  func apply(to options: inout TranscriptRunner.Options) {
    options.repeats = repeats ?? 1
    options.orderSeed = orderSeed ?? ((repeats ?? 1) > 1 ? Self.usualSeed : nil)
    options.checksItself = selfCheck
    options.knownFlaky = knownFlaky
  }
}
