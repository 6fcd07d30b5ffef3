/// One thing a stage decided to do, told apart by orders of birth: never by an address, or by a number
/// that depends on what else the process does.
public struct Decision: Sendable, Hashable, CustomStringConvertible {
  /// The stage's time when it did so.
  public let at: StageInstant
  /// What was done, and to whom.
  public let what: What

  /// What a stage can do of its own: run a job, or wake somebody.
  public enum What: Sendable, Hashable {
    /// Ran a task, the so-manieth that the stage met, counted from 1.
    case ran(task: Int, onMain: Bool)
    /// Let an actor work through its messages.
    case ranActor
    /// Let a task go on that had let others go first.
    case endedYield
    /// Woke the so-manieth sleeper, counted from 1.
    case woke(sleeper: Int)
    /// Ran the closure that was the so-manieth sleeper.
    case called(sleeper: Int)
  }

  /// A sentence without its subject: `1.5s ran task 3 on the main actor`.
  public var description: String {
    switch what {
    case .ran(let task, let onMain): "\(at) ran task \(task)\(onMain ? " on the main actor" : "")"
    case .ranActor: "\(at) ran an actor"
    case .endedYield: "\(at) ended a yield"
    case .woke(let sleeper): "\(at) woke sleeper \(sleeper)"
    case .called(let sleeper): "\(at) called closure \(sleeper)"
    }
  }
}

/// The decisions of a stage, in order.
struct ExecutionTrace {
  private(set) var decisions: [Decision] = []
  private var numbers: [UInt64: Int] = [:]

  /// Numbers a task by the order in which the stage first met it.
  mutating func meet(_ task: UInt64) {
    if numbers[task] == nil { numbers[task] = numbers.count + 1 }
  }

  mutating func note(_ ready: ReadyJob, at nanoseconds: Int64) {
    guard Runtime.isTask(ready.job) else {
      return add(Runtime.isContinuation(ready.job) ? .endedYield : .ranActor, at: nanoseconds)
    }
    let task = Runtime.taskNumber(of: ready.job)
    meet(task)
    add(.ran(task: numbers[task] ?? 0, onMain: ready.onMain), at: nanoseconds)
  }

  mutating func note(_ sleeper: Sleeper, sequence: UInt64, at nanoseconds: Int64) {
    if case .scheduled = sleeper {
      add(.called(sleeper: Int(sequence)), at: nanoseconds)
    } else {
      add(.woke(sleeper: Int(sequence)), at: nanoseconds)
    }
  }

  private mutating func add(_ what: Decision.What, at nanoseconds: Int64) {
    decisions.append(Decision(at: StageInstant(nanoseconds: nanoseconds), what: what))
  }
}
