/// What was chosen in a run, decision by decision: which of several ready steps came first, which of several
/// values was taken. A run is its schedule, and the schedule replays it.
///
/// Written down, only what differs from a plain run is said, as the number of the decision and what was chosen
/// there: `3:1 7:2` chose the second of what was ready at the third decision, and the third at the seventh;
/// `3-9:1` the second from the third to the ninth.
public struct Schedule: Sendable, Hashable, Codable {
  /// What was chosen, decision by decision; where it ends, and where it says 0, the first.
  public private(set) var choices: [Int]

  /// The default schedule, which always takes the first step.
  public init() { choices = [] }

  /// A schedule that chooses so.
  public init(_ choices: some Sequence<Int>) {
    self.choices = Array(choices)
    while self.choices.last == 0 { self.choices.removeLast() }
  }

  /// Whether this is the default schedule.
  public var isDefault: Bool { choices.isEmpty }

  /// How many decisions differ from those of the default schedule.
  public var deviations: Int { choices.reduce(0) { $0 + ($1 == 0 ? 0 : 1) } }
}

extension Schedule: LosslessStringConvertible {
  /// Reads what `description` wrote; nil where it is something else.
  public init?(_ description: String) {
    var choices: [Int] = []
    for word in description.split(separator: " ") {
      let parts = word.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let choice = Int(parts[1]), (1...Self.mostChoices).contains(choice)
      else { return nil }
      let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
      guard ends.count <= 2, let first = Int(ends[0]), let last = Int(ends[ends.count - 1]),
        first > choices.count, first <= last, last <= Self.mostDecisions
      else { return nil }
      choices += Array(repeating: 0, count: first - 1 - choices.count)
      choices += Array(repeating: choice, count: last - first + 1)
    }
    self.choices = choices
  }

  /// The greatest number of a decision that can be said.
  package static let mostDecisions = 1_000_000
  /// The greatest choice that can be said.
  package static let mostChoices = 1_000_000_000

  /// So many decisions in a row that choose the same are said in one word.
  private static let leastInARow = 3

  /// The decisions that differ from those of the default schedule, counted from 1; nothing where none does.
  public var description: String {
    var words: [String] = []
    var start = 0
    while start < choices.count {
      let choice = choices[start]
      let end = choices[start...].firstIndex { $0 != choice } ?? choices.count
      if choice != 0, end - start >= Self.leastInARow {
        words.append("\(start + 1)-\(end):\(choice)")
      } else if choice != 0 {
        words += (start..<end).map { "\($0 + 1):\(choice)" }
      }
      start = end
    }
    return words.joined(separator: " ")
  }
}
