/// A step that a stage took. Tasks and sleepers are numbered in creation order, so that two runs of
/// the same code compare equal: addresses and the runtime's numbers differ between runs.
public struct ExecutionStep: Sendable, Hashable, CustomStringConvertible {
  /// The stage's time of the step.
  public let at: StageInstant
  /// The kind of step, and its task or sleeper.
  public let what: What

  /// The kinds of steps: the stage runs a job, or wakes a sleeper.
  public enum What: Sendable, Hashable {
    /// Ran a task. Tasks are numbered from 1 in the order in which the stage met them.
    case ran(task: Int, onMain: Bool)
    /// Ran the messages of an actor.
    case ranActor
    /// Resumed a task after `Task.yield()`.
    case endedYield
    /// Ran a block of a Dispatch queue. Blocks are numbered from 1 in the order in which they were submitted.
    case ranBlock(Int, onMain: Bool)
    /// Woke a sleeper. Sleepers are numbered from 1.
    case woke(sleeper: Int)
    /// Ran a closure of `schedule`, with its number among the sleepers.
    case called(sleeper: Int)
  }

  /// The step as text: `1.5s ran task 3 on the main actor`.
  public var description: String {
    switch what {
    case .ran(let task, let onMain): "\(at) ran task \(task)\(onMain ? " on the main actor" : "")"
    case .ranActor: "\(at) ran an actor"
    case .endedYield: "\(at) ended a yield"
    case .ranBlock(let block, let onMain):
      "\(at) ran block \(block)\(onMain ? " on the main queue" : "")"
    case .woke(let sleeper): "\(at) woke sleeper \(sleeper)"
    case .called(let sleeper): "\(at) called closure \(sleeper)"
    }
  }
}
