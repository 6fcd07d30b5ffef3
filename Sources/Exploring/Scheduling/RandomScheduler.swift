import RehearsalBase
import Staging

/// Chooses at random; the same seed gives the same choices.
final class RandomScheduler: SearchScheduler {
  private var generator = SplitMix64(seed: 0)

  override var isRandomised: Bool { true }

  override func begin(seed: UInt64) -> Bool {
    generator = SplitMix64(seed: seed)
    return super.begin(seed: seed)
  }

  override func decide(_ turn: Turn) -> Int { generator.next(below: turn.count) }

  override func decide(among count: Int) -> Int { generator.next(below: count) }

  override func decide(among count: Int, marked: [Int]) -> Int {
    generator.next(below: count, marked: marked)
  }
}

extension SplitMix64 {
  /// Returns the index of a value in a range: usually an end or a marked value, and one time in
  /// four any value.
  mutating func next(below count: Int, marked: [Int]) -> Int {
    if next(below: 4) == 0 { return next(below: count) }
    let place = next(below: marked.count + 2)
    return place < marked.count ? marked[place] : place == marked.count ? 0 : count - 1
  }
}
