import RehearsalBase
import Staging

/// Chooses the next task in proportion to the number of its steps that are left, so that each order of all steps is about
/// equally probable. The numbers are those of the default schedule.
///
/// If `isSelective`, each run does so for the steps on one executor only. The other steps are chosen at random.
final class UniformWalkScheduler: SearchScheduler {
  private let isSelective: Bool
  private let census: StepCensus
  private var generator = SplitMix64(seed: 0)
  private var family = TaskFamily()
  private var steps = PossibleSteps<TaskFamily.Member>()
  /// The number of steps that are left, for each task.
  private var left = PlainList<Int>()
  /// The executor whose steps count; nil if all do.
  private var selected: Int?
  /// The task whose step on the selected executor comes next.
  private var next: Int?
  private var instant = InstantLength()

  init(_ census: StepCensus, isSelective: Bool) {
    self.census = census
    self.isSelective = isSelective
  }

  override var isRandomised: Bool { true }

  override func begin(seed: UInt64) -> Bool {
    generator = SplitMix64(seed: seed)
    family.removeAll()
    steps.removeAll()
    left.removeAll()
    left.append(0)
    next = nil
    selected = isSelective ? generator.next(below: census.executors + 1) : nil
    instant = InstantLength()
    return super.begin(seed: seed)
  }

  override func decide(_ turn: Turn) -> Int {
    if instant.isLong(with: turn) { return generator.next(below: turn.count) }
    meet(turn)
    let count = turn.count
    guard let selected else { return drawn(of: count, on: nil) ?? 0 }
    // The steps on other executors, and the next one on the selected executor.
    var possible = 0
    var isNextPossible = false
    for index in 0..<count {
      let step = steps[index]
      if step.executor != selected {
        possible += 1
      } else if step.task == next {
        possible += 1
        isNextPossible = true
      }
    }
    if !isNextPossible, let drawn = drawn(of: count, on: selected) {
      next = steps[drawn].task
      for index in 0..<count where steps[index].executor == selected && steps[index].task == next {
        possible += 1
      }
    }
    var rest = generator.next(below: possible)
    for index in 0..<count where steps[index].executor != selected || steps[index].task == next {
      if rest == 0 { return index }
      rest -= 1
    }
    preconditionFailure("A draw lies below the number of steps.")
  }

  /// Returns one of the steps on an executor, drawn in proportion to the steps that are left; nil if there are none.
  @inline(__always)
  private func drawn(of count: Int, on executor: Int?) -> Int? {
    var sum = 0
    for index in 0..<count { sum &+= weight(of: index, on: executor) }
    if sum == 0 { return nil }
    var rest = generator.next(below: sum)
    for index in 0..<count {
      rest &-= weight(of: index, on: executor)
      if rest < 0 { return index }
    }
    preconditionFailure("A draw lies below the sum of the weights.")
  }

  @inline(__always)
  private func weight(of index: Int, on executor: Int?) -> Int {
    let step = steps[index]
    if let executor, step.executor != executor { return 0 }
    return max(1, left[step.task])
  }

  private func meet(_ turn: Turn) {
    steps.meet(turn, &family) { family, index in family.meet(index, turn) }
    while left.count < family.count {
      let task = left.count
      let steps = census.steps(of: family.name(of: task), on: selected)
      left.append(steps)
      left[family.creator(of: task)] -= steps
    }
  }

  override var wantsSteps: Bool { true }

  override func willDo(_ choice: Int, _ turn: Turn) {
    super.willDo(choice, turn)
    meet(turn)
    let step = steps[choice]
    family.willDo(step)
    steps.willDo(choice, turn)
    guard selected == nil || step.executor == selected else { return }
    left[step.task] -= 1
    next = nil
  }

  override func decide(among count: Int) -> Int { generator.next(below: count) }

  override func decide(among count: Int, marked: [Int]) -> Int {
    generator.next(below: count, marked: marked)
  }
}
