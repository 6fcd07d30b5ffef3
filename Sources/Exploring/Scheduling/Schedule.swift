/// The choices of a run: which of several possible jobs ran first, and which of several values was taken. Replaying a
/// schedule repeats its run.
///
/// As text, a schedule lists only the differences from the default schedule. `3:1 7:2` chose the second job at the third
/// scheduling point, and the third job at the seventh. `3-9:1` chose the second job from the third to the ninth point.
///
/// Other entries name tasks and their jobs, so that they keep their meaning if other code is changed: `t1@4:t2` lets task
/// `t2` run until it waits, before the fourth job of task `t1`. Task `t1.2` is the second task that task `t1` creates.
public struct Schedule: Sendable, Hashable, Codable {
  /// The choices at the scheduling points, in order; 0 is the first job. After the end of the list, the first job is chosen.
  public private(set) var choices: [Int]
  /// The entries that name tasks or values, in the order of the run.
  package private(set) var named: [Word] = []

  /// The default schedule, which always chooses the first job.
  public init() { choices = [] }

  /// Makes a schedule of these choices.
  public init(_ choices: some Sequence<Int>) {
    self.choices = Array(choices)
    while self.choices.last == 0 { self.choices.removeLast() }
  }

  /// Makes a schedule of entries. Entries that choose by number are sorted by their scheduling points.
  package init(words: some Sequence<Word>) {
    choices = []
    for word in words {
      guard case .choice(let decision, let choice) = word else {
        named.append(word)
        continue
      }
      while choices.count < decision { choices.append(0) }
      choices[decision - 1] = choice
    }
  }

  /// The differences from the default schedule, first those by number.
  package var words: [Word] {
    choices.enumerated().filter { $0.element != 0 }
      .map { .choice(decision: $0.offset + 1, $0.element) } + named
  }

  /// Whether the schedule names tasks or values, and not only scheduling points.
  package var namesTasks: Bool { !named.isEmpty }

  /// Whether this is the default schedule.
  public var isDefault: Bool { choices.isEmpty && named.isEmpty }

  /// The number of differences from the default schedule.
  public var deviations: Int { choices.reduce(named.count) { $0 + ($1 == 0 ? 0 : 1) } }
}

extension Schedule: LosslessStringConvertible {
  /// Reads the text of a schedule; nil if it is not one.
  public init?(_ description: String) {
    var choices: [Int] = []
    var named: [Word] = []
    for word in description.split(separator: " ") {
      if let word = Word(String(word)) {
        if named.contains(where: word.excludes) { return nil }
        named.append(word)
        continue
      }
      let parts = word.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let choice = Int(digits: parts[1], in: 1...Self.mostChoices) else {
        return nil
      }
      let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        .map { Int(digits: $0, in: 1...Self.mostDecisions) }
      guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1],
        first > choices.count, first <= last
      else { return nil }
      choices += Array(repeating: 0, count: first - 1 - choices.count)
      choices += Array(repeating: choice, count: last - first + 1)
    }
    (self.choices, self.named) = (choices, named)
  }

  /// Returns the first word of a text that makes it no schedule; nil if the text is a schedule.
  package static func mistake(in text: String) -> String? {
    let words = text.split(separator: " ")
    let count = words.indices.first { Schedule(words[...$0].joined(separator: " ")) == nil }
    return count.map { String(words[$0]) }
  }

  /// The greatest number of a scheduling point, a value or a job in a text.
  package static let mostDecisions = 1_000_000
  /// The greatest choice in a text.
  package static let mostChoices = 1_000_000_000

  /// Minimum number of equal choices in a row that are written as a range.
  private static let leastInARow = 3

  /// The differences from the default schedule; empty if there are none. Scheduling points count from 1.
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
    return (words + named.map(\.description)).joined(separator: " ")
  }
}

extension Schedule.Word {
  /// Whether the entry has the number of a scheduling point, and no name of a task or value.
  var isDecision: Bool { if case .choice = self { true } else { false } }
}
