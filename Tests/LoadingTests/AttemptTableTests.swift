import RehearsalBase
import Testing

@testable import Loading

@Suite struct AttemptTableTests {
  @Test(arguments: 1...20) func `a table behaves like a dictionary`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var table = AttemptTable<Int>()
    var model: [Int: Int] = [:]
    for number in 1...300 {
      // Mostly the newest, sometimes one that was left out.
      let added = Int.random(in: 0..<5, using: &generator) == 0 ? max(1, number / 2) : number
      if Bool.random(using: &generator), model[added] == nil {
        table.insert(added, for: Attempt(number: added))
        model[added] = added
      }
      let other = Attempt(number: Int.random(in: 1...number, using: &generator))
      if Bool.random(using: &generator) {
        #expect(table.remove(other) == model.removeValue(forKey: other.number))
      } else {
        table.update(other) { $0 += 1 }
        model[other.number]? += 1
      }
      #expect(table.count == model.count && table.isEmpty == model.isEmpty)
      #expect(table[other] == model[other.number])
    }
    #expect(table.attempts.map(\.number) == model.keys.sorted())
    for limit in [0, 100, 299, 300] {
      let even = model.filter { $0.key > limit && $0.value.isMultiple(of: 2) }.keys
      let newest = table.newest(above: limit) { $0.isMultiple(of: 2) }
      #expect(newest?.number == even.max())
      let all = table.all(above: limit) { $0.isMultiple(of: 2) }
      #expect(all.map(\.number) == even.sorted())
    }
  }
}
