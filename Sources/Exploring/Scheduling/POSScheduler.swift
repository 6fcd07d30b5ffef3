import RehearsalBase
import Staging

/// Gives each possible step a random priority, and runs the highest one. Then the steps that wait for the same actor or
/// queue get new priorities, since only their order can matter.
final class POSScheduler: SearchScheduler {
  private var generator = SplitMix64(seed: 0)
  private struct Step {
    /// 0 until it is drawn.
    var priority: UInt64
    /// 0 if the step belongs to no actor or queue.
    let executor: UInt64
  }

  private var steps = PossibleSteps<Step>()
  private var instant = InstantLength()

  override var isRandomised: Bool { true }

  override func begin(seed: UInt64) -> Bool {
    generator = SplitMix64(seed: seed)
    steps.removeAll()
    instant = InstantLength()
    return super.begin(seed: seed)
  }

  override func decide(_ turn: Turn) -> Int {
    if instant.isLong(with: turn) { return generator.next(below: turn.count) }
    meet(turn)
    var best = (index: 0, priority: UInt64(0))
    for index in 0..<turn.count {
      var priority = steps[index].priority
      if priority == 0 {
        priority = generator.next() | 1
        steps[index].priority = priority
      }
      if priority > best.priority { best = (index, priority) }
    }
    return best.index
  }

  private func meet(_ turn: Turn) {
    steps.meet(turn) { Step(priority: 0, executor: turn.executor($0) ?? 0) }
  }

  override var wantsSteps: Bool { true }

  override func willDo(_ choice: Int, _ turn: Turn) {
    super.willDo(choice, turn)
    meet(turn)
    let executor = steps[choice].executor
    if executor != 0 {
      for index in 0..<turn.count where steps[index].executor == executor {
        steps[index].priority = 0
      }
    }
    steps.willDo(choice, turn)
  }

  override func decide(among count: Int) -> Int { generator.next(below: count) }

  override func decide(among count: Int, marked: [Int]) -> Int {
    generator.next(below: count, marked: marked)
  }
}
