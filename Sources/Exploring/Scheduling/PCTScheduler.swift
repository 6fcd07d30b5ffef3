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
  private var priorities = TaskTable<Int>()
  /// The decisions that change a priority, ascending, and the number of those that are past.
  private var changePoints: [Int] = []
  private var pastChanges = 0
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
    lowest = 0
    let count =
      changes.count == 1
      ? changes.lowerBound : changes.lowerBound + generator.next(below: changes.count)
    changePoints = (0..<count).map { _ in generator.next(below: length) }.sorted()
    pastChanges = 0
    instant = InstantLength()
    return super.begin(seed: seed)
  }

  override func hasYielded(task: UInt64) {
    lowest -= 1
    priorities[task] = lowest
  }

  override func decide(_ turn: Turn) -> Int {
    if instant.isLong(with: turn) { return generator.next(below: turn.count) }
    var best = highest(turn)
    // Several change points may fall on one decision; each takes effect.
    while isChangePoint(choices.count), let task = turn.line(best) {
      pastChanges += 1
      lowest -= 1
      priorities[task] = lowest
      best = highest(turn)
    }
    return best
  }

  private func isChangePoint(_ decision: Int) -> Bool {
    while pastChanges < changePoints.count, changePoints[pastChanges] < decision {
      pastChanges += 1
    }
    return pastChanges < changePoints.count && changePoints[pastChanges] == decision
  }

  override func decide(among count: Int) -> Int { generator.next(below: count) }

  override func decide(among count: Int, marked: [Int]) -> Int {
    generator.next(below: count, marked: marked)
  }

  private func highest(_ turn: Turn) -> Int {
    var best = (index: 0, priority: Int.min)
    for index in 0..<turn.count {
      let priority = priority(of: turn.line(index))
      if priority > best.priority { best = (index, priority) }
    }
    return best.index
  }

  /// Returns the priority of a task, constant within a run. Steps without a task get a new random
  /// priority each time.
  private func priority(of task: UInt64?) -> Int {
    if let task, let known = priorities[task] { return known }
    let drawn = generator.next(below: Int(Int32.max))
    if let task { priorities[task] = drawn }
    return drawn
  }
}
