import ArgumentParser
import Rehearsal

/// How many behaviours of a search are shown.
struct BehavioursOption: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Show N behaviours: the plain run's, then those that most runs showed; or 'all'. (default: \(ExplorationText.usualBehaviours))",
      valueName: "N"
    ),
    completion: .list(["all"]),
    transform: BehavioursOption.number
  )
  var behaviours: Int?

  var most: Int { behaviours ?? ExplorationText.usualBehaviours }

  /// - Throws: where they are not shown.
  func check(json: Bool) throws {
    guard json, behaviours != nil else { return }
    throw ValidationError("--behaviours is about what people read; --json tells all of them.")
  }

  @Sendable private static func number(_ text: String) throws -> Int {
    if text == "all" { return .max }
    if let number = Int(text), (1...1_000_000).contains(number) { return number }
    throw ValidationError("it takes a number from 1 to 1000000, such as 20, or 'all'.")
  }
}
