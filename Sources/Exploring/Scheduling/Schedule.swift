/// The choices of a run, decision by decision: which of several possible steps came first, and
/// which of several values was taken. Replaying a schedule repeats its run.
///
/// As text, a schedule lists only the decisions that differ from the default schedule, each with
/// its number and choice: `3:1 7:2` chose the second step at the third decision, and the third step
/// at the seventh. `3-9:1` chose the second step from the third to the ninth decision.
public struct Schedule: Sendable, Hashable, Codable {
  /// The choices, decision by decision; 0 is the first step. After the end of the list, the first
  /// step is chosen.
  public private(set) var choices: [Int]

  /// The default schedule, which always chooses the first step.
  public init() { choices = [] }

  /// Makes a schedule of these choices.
  public init(_ choices: some Sequence<Int>) {
    self.choices = Array(choices)
    while self.choices.last == 0 { self.choices.removeLast() }
  }

  /// Whether this is the default schedule.
  public var isDefault: Bool { choices.isEmpty }

  /// The number of decisions that differ from the default schedule.
  public var deviations: Int { choices.reduce(0) { $0 + ($1 == 0 ? 0 : 1) } }
}

extension Schedule: LosslessStringConvertible {
  /// Reads the text of a schedule; nil if it is not one.
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

  /// The greatest number of a decision in a text.
  package static let mostDecisions = 1_000_000
  /// The greatest choice in a text.
  package static let mostChoices = 1_000_000_000

  /// Minimum number of equal choices in a row that are written as a range.
  private static let leastInARow = 3

  /// The decisions that differ from the default schedule, counted from 1; empty if there are none.
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
