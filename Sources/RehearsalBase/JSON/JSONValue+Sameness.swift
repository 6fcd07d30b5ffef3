extension JSONValue {
  /// Whether it means the same, however it is written: 1.50 is 1.5, and the order of fields is none
  /// of an object's meaning (RFC 8259, sections 4 and 6).
  package func isSame(as other: JSONValue) -> Bool {
    switch (self, other) {
    case (.number(let one), .number(let two)):
      return one == two || Decimal(one) == Decimal(two)
    case (.array(let one), .array(let two)):
      return one.count == two.count && zip(one, two).allSatisfy { $0.isSame(as: $1) }
    case (.object(let one), .object(let two)):
      let fields = Dictionary(
        two.map { ($0.name, $0.value) },
        uniquingKeysWith: { first, _ in first }
      )
      return one.count == two.count
        && one.allSatisfy { field in fields[field.name].map(field.value.isSame) ?? false }
    default:
      return self == other
    }
  }

  /// Whether this has at least what `part` has: objects may have more fields, also within.
  package func includes(_ part: JSONValue) -> Bool {
    switch (self, part) {
    case (.object(let fields), .object(let wanted)):
      wanted.allSatisfy { wanted in
        fields.first { $0.name == wanted.name }?.value.includes(wanted.value) ?? false
      }
    case (.array(let items), .array(let wanted)):
      items.count == wanted.count && zip(items, wanted).allSatisfy { $0.includes($1) }
    default: isSame(as: part)
    }
  }

  /// A number as its digits without leading and trailing zeros, and where the point is.
  private struct Decimal: Equatable {
    var isNegative = false
    var digits: [UInt8] = []
    /// The value is 0.DIGITS times ten to this power; nil where that does not fit an Int.
    var power: Int? = 0

    init(_ text: String) {
      var digitsBeforePoint: Int?
      var exponent = ""
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "-") where digits.isEmpty && digitsBeforePoint == nil && exponent.isEmpty:
          isNegative = true
        case UInt8(ascii: "."): digitsBeforePoint = digits.count
        case UInt8(ascii: "e"), UInt8(ascii: "E"): exponent = "0"
        case _ where exponent.isEmpty: digits.append(byte)
        default:
          exponent =
            exponent == "0" ? String(UnicodeScalar(byte)) : exponent + String(UnicodeScalar(byte))
        }
      }
      power = Int(exponent.isEmpty ? "0" : exponent).map {
        $0.addingClamped(digitsBeforePoint ?? digits.count)
      }
      let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
      digits.removeFirst(zeros)
      power = power.map { $0.addingClamped(-zeros) }
      while digits.last == UInt8(ascii: "0") { digits.removeLast() }
      if digits.isEmpty { self = Decimal() }
    }

    private init() {}
  }
}
