/// What was chosen in a run, decision by decision: which of several ready steps came first, which of several
/// values was taken. A run is its schedule, and the schedule replays it.
///
/// Written down, only what differs from a plain run is said, as the number of the decision and what was chosen
/// there: `3:1 7:2` chose the second of what was ready at the third decision, and the third at the seventh.
public struct Schedule: Sendable, Hashable {
  /// What was chosen, decision by decision; where it ends, and where it says 0, the first.
  public private(set) var choices: [Int]

  /// The schedule of a plain run, which always takes the first.
  public init() { choices = [] }

  /// A schedule that chooses so.
  public init(_ choices: some Sequence<Int>) {
    self.choices = Array(choices)
    while self.choices.last == 0 { self.choices.removeLast() }
  }

  /// Whether it is that of a plain run.
  public var isPlain: Bool { choices.isEmpty }

  /// How many decisions differ from those of a plain run.
  public var deviations: Int { choices.reduce(0) { $0 + ($1 == 0 ? 0 : 1) } }
}

extension Schedule: LosslessStringConvertible {
  /// Reads what `description` wrote; nil where it is something else.
  public init?(_ description: String) {
    var choices: [Int] = []
    for word in description.split(separator: " ") {
      let parts = word.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let number = Int(parts[0]), let choice = Int(parts[1]),
        number > choices.count, number <= Self.mostDecisions,
        (1...Self.mostChoices).contains(choice)
      else { return nil }
      choices += Array(repeating: 0, count: number - 1 - choices.count)
      choices.append(choice)
    }
    self.choices = choices
  }

  /// The greatest number of a decision that can be said.
  package static let mostDecisions = 1_000_000
  /// The greatest choice that can be said.
  package static let mostChoices = 1_000_000_000

  /// The decisions that differ from those of a plain run, counted from 1; nothing where none does.
  public var description: String {
    choices.enumerated().filter { $0.element != 0 }.map { "\($0.offset + 1):\($0.element)" }
      .joined(separator: " ")
  }
}
