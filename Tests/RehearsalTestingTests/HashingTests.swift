#if os(Linux)
import RehearsalTesting
import Testing

@Suite struct HashingTests {
  @Test func `sets of the same elements have the same order`() {
    // With random seeds, each set has its own order.
    let sets = (0..<100).map { _ in Set((0..<20).map { "element \($0)" }) }
    #expect(Set(sets.map(Array.init)).count == 1)
  }
}
#endif
