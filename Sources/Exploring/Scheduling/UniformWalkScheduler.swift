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
  private var left = [0]
  /// The executor whose steps count; nil if all do.
  private var selected: Int?
  /// The task whose step on the selected executor comes next.
  private var next: Int?
  private var possible: [Int] = []
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
    left.removeAll(keepingCapacity: true)
    left.append(0)
    next = nil
    selected = isSelective ? generator.next(below: census.executors + 1) : nil
    instant = InstantLength()
    return super.begin(seed: seed)
  }

  override func decide(_ turn: Turn) -> Int {
    if instant.isLong(with: turn) { return generator.next(below: turn.count) }
    meet(turn)
    possible.removeAll(keepingCapacity: true)
    guard let selected else {
      possible.append(contentsOf: 0..<turn.count)
      return drawn()
    }
    for index in 0..<turn.count where steps[index].executor == selected { possible.append(index) }
    if !possible.isEmpty, !possible.contains(where: { steps[$0].task == next }) {
      next = steps[drawn()].task
    }
    possible.removeAll(keepingCapacity: true)
    for index in 0..<turn.count
    where steps[index].executor != selected || steps[index].task == next {
      possible.append(index)
    }
    return possible[generator.next(below: possible.count)]
  }

  /// Returns one of the steps `possible`, drawn in proportion to the steps that are left.
  private func drawn() -> Int {
    var sum = 0
    for index in possible { sum += weight(of: index) }
    var rest = generator.next(below: sum)
    for index in possible {
      rest -= weight(of: index)
      if rest < 0 { return index }
    }
    preconditionFailure("A draw lies below the sum of the weights.")
  }

  private func weight(of index: Int) -> Int { max(1, left[steps[index].task]) }

  private func meet(_ turn: Turn) {
    steps.meet(turn) { index in
      family.meet(index, turn) { task, creator in
        let steps = census.steps(of: task, on: selected)
        left.append(steps)
        left[creator] -= steps
      }
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
