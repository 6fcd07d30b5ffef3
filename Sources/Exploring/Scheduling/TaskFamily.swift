import RehearsalBase
import Staging

/// The tasks and the executors of a run so far, with names and numbers that are the same in other runs.
///
/// A task is named by its creator and by its place among the tasks of its creator, so that it has the same name in other
/// runs. Tasks and executors are numbered in the order of first use.
struct TaskFamily: ~Copyable {
  /// What a step does.
  struct Member {
    /// The number of the task; 0 if the step has none.
    let task: Int
    /// The number of the executor, from 1; 0 if the step has none.
    let executor: Int
  }

  private var numbers = TaskTable()
  /// Not private, because other files destroy the list of them.
  struct Known: BitwiseCopyable {
    let name: UInt64
    /// The task that created it, and its number among the tasks of that one, from 1.
    let (creator, number): (Int, Int)
    /// The number of tasks that it has created.
    var children = 0
  }

  private var tasks = PlainList<Known>()
  private var executors = PlainList<UInt64>()
  /// The task whose step ran last.
  private var latest = 0

  init() { removeAll() }

  /// The number of tasks so far; numbers are below.
  var count: Int { tasks.count }

  mutating func removeAll() {
    numbers.removeAll()
    tasks.removeAll()
    tasks.append(Known(name: 0, creator: 0, number: 0))
    executors.removeAll()
    latest = 0
  }

  /// Returns what a possible step would do. If its task is new, the latest step has created it.
  mutating func meet(_ index: Int, _ turn: Turn) -> Member {
    let owner = turn.owner(index)
    let task = owner.line.map { number(of: $0) } ?? 0
    guard let executor = owner.executor else { return Member(task: task, executor: 0) }
    for known in 0..<executors.count where executors[known] == executor {
      return Member(task: task, executor: known + 1)
    }
    executors.append(executor)
    return Member(task: task, executor: executors.count)
  }

  private mutating func number(of line: UInt64) -> Int {
    if let known = numbers[line] { return known }
    var name = FNV1a()
    name.combine(tasks[latest].name)
    name.combine(UInt64(tasks[latest].children))
    tasks[latest].children += 1
    numbers.set(tasks.count, of: line)
    tasks.append(Known(name: name.value, creator: latest, number: tasks[latest].children))
    return tasks.count - 1
  }

  /// Returns the number of a new timer: a step that belongs to no task. Only its path is known, as if the code between the
  /// steps had created it.
  mutating func addTimer() -> Int {
    tasks[0].children += 1
    tasks.append(Known(name: 0, creator: 0, number: tasks[0].children))
    return tasks.count - 1
  }

  /// Returns the name of a task.
  func name(of task: Int) -> UInt64 { tasks[task].name }

  /// Returns the number of the task that created a task.
  func creator(of task: Int) -> Int { tasks[task].creator }

  /// Returns the path of a task; nil for 0, which is no task.
  func path(of task: Int) -> TaskPath? {
    if task == 0 { return nil }
    var numbers: [Int] = []
    var task = task
    while task != 0 {
      numbers.append(tasks[task].number)
      task = tasks[task].creator
    }
    return TaskPath(numbers.reversed())
  }

  /// Notes the next step.
  mutating func willDo(_ step: Member) { latest = step.task }

  /// Notes that the code between the steps runs.
  mutating func willRunCaller() { latest = 0 }
}
