import Staging

/// By chance, the same for the same seed.
final class RandomDecisions: Decisions {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  func restart(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  override func decide(among count: Int) -> Int { generator.next(below: count) }
}
