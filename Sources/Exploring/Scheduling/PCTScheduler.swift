import RehearsalBase
import Staging

/// Chooses the step whose task has the highest priority. At a few decisions, the highest task gets
/// the lowest priority, and so does each task that yields.
///
/// With priorities alone, tasks that wake each other could delay all others forever. After many
/// decisions at one instant, choices are therefore random.
final class PCTScheduler: SearchScheduler {
  private let changes: ClosedRange<Int>
  let length: Int
  private var generator = SplitMix64(seed: 0)
  private var priorities = TaskPriorities()
  /// The number of each step's task; `none` for a step without a task.
  private var steps = PossibleSteps<Int>()
  private static let none = -1
  /// The priority of a task until it is drawn.
  private static let undrawn = Int.min
  /// The next decision that changes a priority, and the later ones, descending; `Int.max` if there is none.
  private var nextChange = Int.max
  private var laterChanges: [Int] = []
  private var lowest = 0
  private var instant = InstantLength()

  /// - Parameters:
  ///   - changes: the numbers of decisions that change a priority. Each run draws one.
  ///   - length: the approximate number of decisions in a run.
  init(changes: ClosedRange<Int>, length: Int) {
    self.changes = changes
    self.length = max(1, length)
  }

  override var isRandomised: Bool { true }

  override func begin(seed: UInt64) -> Bool {
    generator = SplitMix64(seed: seed)
    priorities.removeAll()
    steps.removeAll()
    lowest = 0
    let count =
      changes.count == 1
      ? changes.lowerBound : changes.lowerBound + generator.next(below: changes.count)
    laterChanges = (0..<count).map { _ in generator.next(below: length) }.sorted(by: >)
    passChange()
    instant = InstantLength()
    return super.begin(seed: seed)
  }

  override func hasYielded(task: UInt64) {
    lowest -= 1
    priorities[priorities.number(of: task)] = lowest
  }

  override var wantsSteps: Bool { true }

  private func meet(_ turn: Turn) {
    steps.meet(turn, &priorities) { priorities, index in
      turn.owner(index).line.map { priorities.number(of: $0) } ?? Self.none
    }
  }

  override func willDo(_ choice: Int, _ turn: Turn) {
    super.willDo(choice, turn)
    meet(turn)
    steps.willDo(choice, turn)
  }

  override func decide(_ turn: Turn) -> Int {
    if instant.isLong(with: turn) { return generator.next(below: turn.count) }
    meet(turn)
    var best = highest(turn.count)
    // Several change points may fall on one decision; each takes effect.
    while isChangePoint(choices.count), steps[best] != Self.none {
      passChange()
      lowest -= 1
      priorities[steps[best]] = lowest
      best = highest(turn.count)
    }
    return best
  }

  private func isChangePoint(_ decision: Int) -> Bool {
    while nextChange < decision { passChange() }
    return nextChange == decision
  }

  private func passChange() { nextChange = laterChanges.popLast() ?? .max }

  override func decide(among count: Int) -> Int { generator.next(below: count) }

  override func decide(among count: Int, marked: [Int]) -> Int {
    generator.next(below: count, marked: marked)
  }

  private func highest(_ count: Int) -> Int {
    var best = (index: 0, priority: Int.min)
    for index in 0..<count {
      let priority = priority(of: steps[index])
      if priority > best.priority { best = (index, priority) }
    }
    return best.index
  }

  /// Returns the priority of a task, constant within a run. Steps without a task get a new random
  /// priority each time.
  private func priority(of task: Int) -> Int {
    if task != Self.none, priorities[task] != Self.undrawn { return priorities[task] }
    let drawn = generator.next(below: Int(Int32.max))
    if task != Self.none { priorities[task] = drawn }
    return drawn
  }

  /// The numbers of the tasks, and their priorities by number.
  private struct TaskPriorities: ~Copyable {
    private var numbers = TaskTable()
    private var all = PlainList<Int>()

    mutating func removeAll() {
      numbers.removeAll()
      all.removeAll()
    }

    mutating func number(of task: UInt64) -> Int {
      if let known = numbers[task] { return known }
      let number = all.count
      all.append(PCTScheduler.undrawn)
      numbers.set(number, of: task)
      return number
    }

    subscript(number: Int) -> Int {
      get { all[number] }
      nonmutating set { all[number] = newValue }
    }
  }
}
