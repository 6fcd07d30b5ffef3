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
    guard let selected else { return drawn(of: count) { _ in true } ?? 0 }
    let isNextPossible = (0..<count).contains {
      steps[$0].executor == selected && steps[$0].task == next
    }
    if !isNextPossible, let drawn = drawn(of: count, if: { steps[$0].executor == selected }) {
      next = steps[drawn].task
    }
    return uniform(of: count) { steps[$0].executor != selected || steps[$0].task == next }
  }

  /// Returns one of some steps, drawn in proportion to the steps that are left; nil if there are none.
  @inline(__always)
  private func drawn(of count: Int, if isPossible: (Int) -> Bool) -> Int? {
    var sum = 0
    for index in 0..<count where isPossible(index) { sum += weight(of: index) }
    if sum == 0 { return nil }
    var rest = generator.next(below: sum)
    for index in 0..<count where isPossible(index) {
      rest -= weight(of: index)
      if rest < 0 { return index }
    }
    preconditionFailure("A draw lies below the sum of the weights.")
  }

  /// Returns one of some steps, each with the same probability. There must be one.
  @inline(__always)
  private func uniform(of count: Int, if isPossible: (Int) -> Bool) -> Int {
    var possible = 0
    for index in 0..<count where isPossible(index) { possible += 1 }
    var rest = generator.next(below: possible)
    for index in 0..<count where isPossible(index) {
      if rest == 0 { return index }
      rest -= 1
    }
    preconditionFailure("A draw lies below the number of steps.")
  }

  private func weight(of index: Int) -> Int { max(1, left[steps[index].task]) }

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
    steps.willDo(choice)
    guard selected == nil || step.executor == selected else { return }
    left[step.task] -= 1
    next = nil
  }

  override func decide(among count: Int) -> Int { generator.next(below: count) }

  override func decide(among count: Int, marked: [Int]) -> Int {
    generator.next(below: count, marked: marked)
  }
}
