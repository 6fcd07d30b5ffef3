/// The name of a task that does not depend on the order of steps: the number of its creator's task, and its own number among
/// the tasks of its creator. As text `t1.2`: the second task that task `t1` creates. Tasks that no task has created have one
/// number, so `t1` is the scenario. A serial Dispatch queue is named like a task, and so is a timer, which has one step.
package struct TaskPath: Sendable, Hashable, Codable {
  /// The numbers, from 1, beginning with that of the outermost creator.
  package let numbers: [Int]

  package init(_ numbers: [Int]) { self.numbers = numbers }

  /// The greatest number in a text, and of numbers.
  static let most = (number: 1_000_000, depth: 100)
}

extension TaskPath: LosslessStringConvertible {
  /// Reads the text of a path; nil if it is not one.
  package init?(_ description: String) {
    guard description.utf8.first == UInt8(ascii: "t") else { return nil }
    let parts = description.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int(digits: $0, in: 1...Self.most.number) }
    guard numbers.count == parts.count, numbers.count <= Self.most.depth else { return nil }
    self.numbers = numbers
  }

  /// The path as text: `t1.2`.
  package var description: String { "t" + numbers.map { "\($0)" }.joined(separator: ".") }
}

/// One step of a task, as text `t1.2@4`: the fourth step of task `t1.2`.
package struct TaskStep: Sendable, Hashable, Codable {
  /// The task.
  package let task: TaskPath
  /// The number of the step among those of its task, from 1.
  package let number: Int

  package init(_ task: TaskPath, _ number: Int) { (self.task, self.number) = (task, number) }
}

extension TaskStep: LosslessStringConvertible {
  /// Reads the text of a step; nil if it is not one.
  package init?(_ description: String) {
    let parts = description.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, let task = TaskPath(String(parts[0])),
      let number = Int(digits: parts[1], in: 1...Schedule.mostDecisions)
    else { return nil }
    self.init(task, number)
  }

  /// The step as text: `t1.2@4`.
  package var description: String { "\(task)@\(number)" }
}

extension Int {
  /// Reads decimal digits; nil if there is another character, or if the number is not in the range.
  init?(digits: Substring, in range: ClosedRange<Int>) {
    guard !digits.isEmpty, digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
      let number = Int(digits), range.contains(number)
    else { return nil }
    self = number
  }
}
