import RehearsalBase
import Staging

/// Gives each possible step a random priority, and runs the highest one. Then the steps that wait for the same actor or
/// queue get new priorities, since only their order can matter.
final class POSScheduler: SearchScheduler {
  private var generator = SplitMix64(seed: 0)
  /// The priorities of the possible steps, by their identifiers.
  private var priorities: [UInt64: UInt64] = [:]
  private var instant = InstantLength()

  override var isRandomised: Bool { true }

  override func begin(seed: UInt64) -> Bool {
    generator = SplitMix64(seed: seed)
    priorities.removeAll(keepingCapacity: true)
    instant = InstantLength()
    return super.begin(seed: seed)
  }

  override func decide(_ turn: Turn) -> Int {
    if instant.isLong(with: turn) { return generator.next(below: turn.count) }
    var best = (index: 0, priority: UInt64(0))
    for index in 0..<turn.count {
      let priority = priority(of: turn.id(index))
      if priority > best.priority { best = (index, priority) }
    }
    return best.index
  }

  private func priority(of step: UInt64) -> UInt64 {
    if let known = priorities[step] { return known }
    let drawn = generator.next() | 1
    priorities[step] = drawn
    return drawn
  }

  override var wantsSteps: Bool { true }

  override func willDo(_ choice: Int, _ turn: Turn) {
    super.willDo(choice, turn)
    priorities[turn.id(choice)] = nil
    guard turn.count > 1, let executor = turn.executor(choice) else { return }
    for index in 0..<turn.count where index != choice && turn.executor(index) == executor {
      priorities[turn.id(index)] = nil
    }
  }

  override func decide(among count: Int) -> Int { generator.next(below: count) }

  override func decide(among count: Int, marked: [Int]) -> Int {
    generator.next(below: count, marked: marked)
  }
}
