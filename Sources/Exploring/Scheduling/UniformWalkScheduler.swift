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
  /// The steps that are left, for each task.
  private var left: [UInt64: Int] = [:]
  /// The executor whose steps count; nil if all do.
  private var selected: Int?
  /// The task whose step on the selected executor comes next.
  private var next: UInt64?
  private var members: [TaskFamily.Member] = []
  private var instant = InstantLength()

  init(_ census: StepCensus, isSelective: Bool) {
    self.census = census
    self.isSelective = isSelective
  }

  override var isRandomised: Bool { true }

  override func begin(seed: UInt64) -> Bool {
    generator = SplitMix64(seed: seed)
    family.removeAll()
    left.removeAll(keepingCapacity: true)
    next = nil
    selected = isSelective ? generator.next(below: census.executors + 1) : nil
    instant = InstantLength()
    return super.begin(seed: seed)
  }

  override func decide(_ turn: Turn) -> Int {
    if instant.isLong(with: turn) { return generator.next(below: turn.count) }
    meet(turn)
    members.removeAll(keepingCapacity: true)
    for index in 0..<turn.count { members.append(family.member(index, turn)) }
    guard let selected else { return drawn(from: 0..<members.count) }
    let waiting = members.indices.filter { members[$0].executor == selected }
    if next == nil || !waiting.contains(where: { members[$0].task == next }), !waiting.isEmpty {
      next = members[drawn(from: waiting)].task
    }
    let possible = members.indices.filter {
      members[$0].executor != selected || members[$0].task == next
    }
    return possible[generator.next(below: possible.count)]
  }

  /// Returns one of several steps, drawn in proportion to the steps that are left.
  private func drawn(from indices: some Collection<Int>) -> Int {
    let weights = indices.map { max(1, left[members[$0].task] ?? 1) }
    var rest = generator.next(below: weights.reduce(0, +))
    for (index, weight) in zip(indices, weights) {
      if rest < weight { return index }
      rest -= weight
    }
    preconditionFailure("A draw lies below the sum of the weights.")
  }

  private func meet(_ turn: Turn) {
    family.meet(turn) { task, creator in
      let steps = census.steps(of: task, on: selected)
      left[task] = steps
      left[creator]? -= steps
    }
  }

  override var wantsSteps: Bool { true }

  override func willDo(_ choice: Int, _ turn: Turn) {
    super.willDo(choice, turn)
    meet(turn)
    let step = family.member(choice, turn)
    family.willDo(step)
    guard selected == nil || step.executor == selected else { return }
    left[step.task]? -= 1
    next = nil
  }

  override func decide(among count: Int) -> Int { generator.next(below: count) }

  override func decide(among count: Int, marked: [Int]) -> Int {
    generator.next(below: count, marked: marked)
  }
}
