import Staging

/// The number of steps of each task in the default schedule, as an estimate for other runs.
package struct StepCensus: Sendable, Equatable, Codable {
  /// The steps of each task and of all tasks that it creates, by the number of their executor.
  private var steps: [UInt64: [Int]] = [:]
  /// The number of executors that run code.
  private(set) var executors = 0

  /// Maximum number of tasks, and of executors, that are distinguished.
  private static let most = (tasks: 10_000, executors: 64)

  package init() {}

  /// Returns the number of steps of a task and of the tasks that it creates.
  ///
  /// - Parameters:
  ///   - task: the name of the task.
  ///   - executor: the executor of the steps; nil for all.
  /// - Returns: the number in the default schedule; 0 if the task did not exist.
  func steps(of task: UInt64, on executor: Int?) -> Int {
    guard let steps = steps[task] else { return 0 }
    guard let executor else { return steps.reduce(0, +) }
    return executor < steps.count ? steps[executor] : 0
  }

  /// Counts the steps of one run.
  final class Taker {
    private var family = TaskFamily()
    private var steps = PossibleSteps<TaskFamily.Member>()
    private var creators: [(task: UInt64, creator: Int)] = []
    private var census = StepCensus()

    func willDo(_ choice: Int, _ turn: Turn) {
      let known = family.count
      steps.meet(turn, &family) { family, index in family.meet(index, turn) }
      for task in known..<family.count {
        creators.append((family.name(of: task), family.creator(of: task)))
      }
      let step = steps[choice]
      family.willDo(step)
      steps.willDo(choice, turn)
      let executor = min(step.executor, StepCensus.most.executors - 1)
      census.add(1, to: family.name(of: step.task), on: executor)
    }

    /// The census after the run.
    var result: StepCensus {
      var census = census
      // Creators come before their tasks.
      for (task, creator) in creators.reversed() {
        for (executor, count) in (census.steps[task] ?? []).enumerated() where count > 0 {
          census.add(count, to: family.name(of: creator), on: executor)
        }
      }
      return census
    }
  }

  private mutating func add(_ count: Int, to task: UInt64, on executor: Int) {
    guard steps.count < Self.most.tasks || steps[task] != nil else { return }
    var counts = steps[task] ?? []
    while counts.count <= executor { counts.append(0) }
    counts[executor] += count
    steps[task] = counts
    executors = max(executors, executor)
  }
}

/// What a search knows of its runs in advance. Strategies that divide a run use it.
package struct RunForecast: Sendable, Equatable, Codable {
  /// The number of decisions in a run.
  var length: Int
  /// The steps of the tasks.
  var census = StepCensus()
  /// Runs that showed something new, which some of the further runs change.
  var parents: [Schedule] = []

  package init(length: Int, census: StepCensus = StepCensus()) {
    self.length = length
    self.census = census
  }
}
