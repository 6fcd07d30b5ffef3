/// A stream of random numbers, determined by a seed and an index, so that a single input can be
/// repeated.
package struct Randomness: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64, index: Int = 0) {
    state =
      seed &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: index) &* 0xD1B5_4A32_D192_ED03
    _ = next()
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number below `limit`, which is at least 1.
  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// Returns true with a probability of 1 in `count`.
  mutating func once(in count: Int) -> Bool { below(count) == 0 }

  /// Returns one of the elements; there must be at least one.
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
