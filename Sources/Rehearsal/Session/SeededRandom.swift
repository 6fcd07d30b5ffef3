import Loading
import RehearsalBase

/// The random numbers of a session: one sequence for all its users.
final class SeededRandom: RandomNumberGenerator {
  private var generator: SplitMix64

  init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
  }

  func next() -> UInt64 { generator.next() }
}
