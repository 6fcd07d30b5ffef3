/// An exact sum of whole numbers of any size, so that it does not depend on their order.
package struct ExactSum: Sendable, Equatable, Codable {
  /// The sum, lowest 64 bits first.
  package private(set) var words: [UInt64]

  package init(words: [UInt64] = [0]) { self.words = words.isEmpty ? [0] : words }

  /// Adds a whole number of at least zero. Infinity is added as the greatest finite number.
  mutating func add(_ number: Double) {
    let number = min(number, .greatestFiniteMagnitude)
    let shift = number < 1 ? 0 : max(0, Int(number.exponent) - 52)
    let digits = UInt64(number / Double(sign: .plus, exponent: shift, significand: 1))
    let (place, bits) = shift.quotientAndRemainder(dividingBy: 64)
    add(digits << UInt64(bits), at: place)
    if bits > 0 { add(digits >> UInt64(64 - bits), at: place + 1) }
  }

  mutating func add(_ other: ExactSum) {
    for (place, word) in other.words.enumerated() { add(word, at: place) }
  }

  private mutating func add(_ word: UInt64, at place: Int) {
    var (place, carry) = (place, word)
    while carry > 0 {
      while words.count <= place { words.append(0) }
      let (sum, overflow) = words[place].addingReportingOverflow(carry)
      words[place] = sum
      carry = overflow ? 1 : 0
      place += 1
    }
  }

  var value: Double { words.reversed().reduce(0) { $0 * 0x1p64 + Double($1) } }
}
