/// Compares texts with the numbers in them by value, so that `a.md:2` comes before `a.md:10`.
enum NaturalOrder {
  static func precedes(_ first: String, _ second: String) -> Bool {
    var left = first.utf8[...]
    var right = second.utf8[...]
    while let one = left.first, let other = right.first {
      let numbers = (number(at: &left), number(at: &right))
      switch numbers {
      case (let one?, let other?):
        if one.count != other.count { return one.count < other.count }
        if !one.elementsEqual(other) { return one.lexicographicallyPrecedes(other) }
      case (nil, nil):
        if one != other { return one < other }
        left = left.dropFirst()
        right = right.dropFirst()
      default:
        return one < other
      }
    }
    return left.isEmpty == right.isEmpty ? first < second : left.isEmpty
  }

  /// Removes and returns the leading digits without leading zeros; nil if there are none.
  private static func number(at text: inout Substring.UTF8View) -> Substring.UTF8View? {
    let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard !digits.isEmpty else { return nil }
    text = text[digits.endIndex...]
    return digits.drop { $0 == UInt8(ascii: "0") }
  }
}
