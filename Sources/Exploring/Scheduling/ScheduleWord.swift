/// Reads and writes one word of a schedule, such as `3:1`, `v2:500` or `t1@4:t2`, and decides which words exclude each
/// other.
extension Schedule {
  /// One difference of a run from the default schedule.
  package enum Word: Sendable, Hashable, Codable {
    /// `3:1`: at the third scheduling point, the choice is 1.
    case choice(decision: Int, Int)
    /// `v2:500`: the second value is number 500.
    case value(Int, Int)
    /// `t1@4:t2`: before the fourth job of task `t1`, task `t2` runs until it waits.
    /// `t1@4:t2@7`: … task `t2` runs, up to and including its seventh job.
    case run(TaskPath, to: Int?, before: TaskStep)
    /// `t1@4:others`: the fourth job of task `t1` runs when nothing else can run.
    case others(before: TaskStep)

    /// The job of a task that waits; nil if none does.
    package var held: TaskStep? {
      switch self {
      case .choice, .value: nil
      case .run(_, _, let step), .others(let step): step
      }
    }
  }
}

extension Schedule.Word: LosslessStringConvertible {
  private static let others = "others"

  /// Reads the text of an entry that names tasks or a value; nil if it is not one.
  package init?(_ description: String) {
    let parts = description.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let (place, choice) = (parts[0], parts[1])
    if place.utf8.first == UInt8(ascii: "v") {
      guard let value = Int(digits: place.dropFirst(), in: 1...Schedule.mostDecisions),
        let choice = Int(digits: choice, in: 1...Schedule.mostChoices)
      else { return nil }
      self = .value(value, choice)
    } else if let step = TaskStep(String(place)) {
      if choice == Self.others {
        self = .others(before: step)
      } else if let task = TaskPath(String(choice)) {
        self = .run(task, to: nil, before: step)
      } else if let last = TaskStep(String(choice)) {
        self = .run(last.task, to: last.number, before: step)
      } else {
        return nil
      }
      guard task != step.task else { return nil }
    } else {
      return nil
    }
  }

  /// Whether a schedule cannot have both words: they are equal, choose twice for one value, or let all others run before a
  /// step and a certain task, too.
  package func excludes(_ other: Schedule.Word) -> Bool {
    switch (self, other) {
    case (.value(let value, _), .value(let otherValue, _)): value == otherValue
    case (.others(let step), _): other.held == step
    case (_, .others(let step)): held == step
    default: self == other
    }
  }

  /// The names of the steps and tasks in the word.
  var names: [String] { [held.map { "\($0)" }, task.map { "\($0)" }].compactMap(\.self) }

  /// The task that runs; nil if the word names none.
  var task: TaskPath? { if case .run(let task, _, _) = self { task } else { nil } }

  package var description: String {
    switch self {
    case .choice(let decision, let choice): "\(decision):\(choice)"
    case .value(let value, let choice): "v\(value):\(choice)"
    case .run(let task, nil, let step): "\(step):\(task)"
    case .run(let task, let last?, let step): "\(step):\(TaskStep(task, last))"
    case .others(let step): "\(step):\(Self.others)"
    }
  }
}
