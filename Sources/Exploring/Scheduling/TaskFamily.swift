import RehearsalBase
import Staging

/// The tasks and the executors of a run so far.
///
/// A task is named by its creator and by its place among the tasks of its creator, so that it has the same name in other
/// runs. An executor is numbered in the order of first use.
struct TaskFamily {
  /// What a step does.
  struct Member {
    /// The name of the task; 0 if the step has none.
    let task: UInt64
    /// The number of the executor, from 1; 0 if the step has none.
    let executor: Int
  }

  private var names = TaskTable<UInt64>()
  private var children: [UInt64: UInt64] = [:]
  private var executors: [UInt64: Int] = [:]
  /// The task whose step ran last.
  private var latest: UInt64 = 0

  mutating func removeAll() {
    names.removeAll()
    children.removeAll(keepingCapacity: true)
    executors.removeAll(keepingCapacity: true)
    latest = 0
  }

  /// Names the tasks that the latest step created, and tells `isNew` the name of each, and that of its creator.
  mutating func meet(_ turn: Turn, _ isNew: (UInt64, UInt64) -> Void = { _, _ in }) {
    for index in 0..<turn.count {
      guard let task = turn.line(index), names[task] == nil else { continue }
      let place = children[latest, default: 0]
      children[latest] = place + 1
      var name = FNV1a()
      name.combine(latest)
      name.combine(place)
      names[task] = name.value
      isNew(name.value, latest)
    }
  }

  /// Returns what a possible step would do. Its task must be known.
  mutating func member(_ index: Int, _ turn: Turn) -> Member {
    let task = turn.line(index).flatMap { names[$0] } ?? 0
    guard let executor = turn.executor(index) else { return Member(task: task, executor: 0) }
    let number = executors[executor] ?? executors.count + 1
    executors[executor] = number
    return Member(task: task, executor: number)
  }

  /// Notes the next step.
  mutating func willDo(_ step: Member) { latest = step.task }
}

extension Turn {
  /// Returns the number of the task or the queue that a step belongs to; nil if it belongs to none.
  func line(_ index: Int) -> UInt64? { task(index) ?? yieldedTask(index) ?? queue(index) }
}
