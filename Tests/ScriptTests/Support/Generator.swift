/// A linear congruential generator: the same numbers each time.
struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }

  mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &self) == 0 }

  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &self)]
  }

  /// Returns at most `count` results of `make`.
  mutating func some<Value>(upTo most: Int, _ make: (inout Generator) -> Value) -> [Value] {
    (0..<Int.random(in: 0...most, using: &self)).map { _ in make(&self) }
  }
}
