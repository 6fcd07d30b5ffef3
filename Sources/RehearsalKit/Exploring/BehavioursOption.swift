import ArgumentParser
import Rehearsal

/// The option `--behaviours`.
struct BehavioursOption: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Number of behaviours (different outcomes of a search) to show, or 'all'. The default schedule's comes first, then the most frequent ones. (default: \(ExplorationText.usualBehaviours))",
      valueName: "N"
    ),
    completion: .list(["all"]),
    transform: BehavioursOption.number
  )
  var behaviours: Int?

  var most: Int { behaviours ?? ExplorationText.usualBehaviours }

  /// - Throws: if `--json` is given, too.
  func check(json: Bool) throws {
    guard json, behaviours != nil else { return }
    throw ValidationError("--behaviours does not go with --json, which lists all behaviours")
  }

  @Sendable private static func number(_ text: String) throws -> Int {
    if text == "all" { return .max }
    if let number = Int(text), (1...1_000_000).contains(number) { return number }
    throw ValidationError("it takes a number from 1 to 1000000, such as 20, or 'all'")
  }
}
