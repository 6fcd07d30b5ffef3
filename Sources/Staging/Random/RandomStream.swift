import RehearsalBase

/// The sequence of random numbers of one task or closure, and how the sequences of its children are seeded.
///
/// Each child has its own stream, which depends only on its creator's stream and on its place among the children. So
/// it does not depend on the schedule, nor on how many numbers anyone has drawn.
struct RandomStream: Equatable {
  /// Seeds of children.
  var children: SplitMix64
  var numbers: SplitMix64

  init(children: UInt64, numbers: UInt64) {
    self.children = SplitMix64(seed: children)
    self.numbers = SplitMix64(seed: numbers)
  }

  init(seed: UInt64) {
    self.init(children: seed ^ 0x6368_696C_6472_656E, numbers: seed ^ 0x6E75_6D62_6572_7300)
  }

  /// Returns the stream of the next child.
  mutating func child() -> RandomStream { RandomStream(seed: children.next()) }

  /// Fills memory with random bytes.
  mutating func fill(_ bytes: UnsafeMutableRawBufferPointer) {
    for start in stride(from: 0, to: bytes.count, by: 8) {
      withUnsafeBytes(of: numbers.next().littleEndian) { number in
        let part = bytes[start..<min(start + 8, bytes.count)]
        UnsafeMutableRawBufferPointer(rebasing: part).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: number[..<part.count])
        )
      }
    }
  }
}
