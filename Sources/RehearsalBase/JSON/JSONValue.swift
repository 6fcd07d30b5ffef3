/// A value of the command language: JSON, with the fields of an object in their order.
package indirect enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  /// The number as text, so that no digit is lost.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Field])

  package struct Field: Sendable, Hashable {
    package let name: String
    package let value: JSONValue

    package init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The kind of the value as text.
  package var kindInWords: String {
    switch self {
    case .null: "null"
    case .bool: "a Bool"
    case .number(let text): Self.isWhole(text) ? "an Int" : "a Double"
    case .string: "a String"
    case .array: "an array"
    case .object: "an object"
    }
  }

  package static func isWhole(_ number: String) -> Bool {
    !number.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
  }

  /// Returns the value at a path of field names, or the first name that does not exist.
  package func value(at path: some Sequence<String>) -> Result<JSONValue, MissingField> {
    var value = self
    for name in path {
      guard let part = value.part(name) else {
        return .failure(MissingField(name: name, value: value))
      }
      value = part
    }
    return .success(value)
  }

  private func part(_ name: String) -> JSONValue? {
    switch self {
    case .object(let fields): fields.first { $0.name == name }?.value
    case .array(let values) where name == "length": .number("\(values.count)")
    case .array(let values): Int(name).flatMap { values.indices.contains($0) ? values[$0] : nil }
    case .string(let text): name == "length" ? .number("\(text.count)") : nil
    case .null, .bool, .number: nil
    }
  }

  package struct MissingField: Error {
    package let name: String
    package let value: JSONValue
  }
}

extension JSONValue {
  /// The complete value as JSON on one line.
  package var text: String { text(within: .max) }

  /// Returns the value as JSON on one line. Parts beyond about `columns` columns are replaced by the size and a digest of
  /// the whole, so that different values have different texts.
  package func text(within columns: Int) -> String {
    var json = JSONText(escaping: .controls)
    write(to: &json, budget: columns)
    return json.text
  }

  private func write(to json: inout JSONText, budget: Int) {
    switch self {
    case .null: json.append("null")
    case .bool(let value): json.append(value ? "true" : "false")
    case .number(let number): json.append(number)
    case .string(let string): json.append(text: string, limit: max(budget, Self.shortestCut))
    case .array(let values):
      let end = json.bytes.count.addingClamped(budget)
      json.append("[")
      for (index, value) in values.enumerated() {
        if index > 0 { json.append(", ") }
        if json.bytes.count >= end {
          json.append(rest(values.count, "element"))
          break
        }
        value.write(to: &json, budget: end == .max ? .max : end - json.bytes.count)
      }
      json.append("]")
    case .object(let fields):
      let end = json.bytes.count.addingClamped(budget)
      json.append("{")
      for (index, field) in fields.enumerated() {
        if index > 0 { json.append(", ") }
        if json.bytes.count >= end {
          json.append(rest(fields.count, "field"))
          break
        }
        json.append(text: field.name, limit: max(budget, Self.shortestCut))
        json.append(": ")
        field.value.write(to: &json, budget: end == .max ? .max : max(1, end - json.bytes.count))
      }
      json.append("}")
    }
  }

  /// The end of a list or an object that is cut.
  private func rest(_ count: Int, _ noun: String) -> String {
    var hash = FNV1a()
    combine(into: &hash)
    return "… \(noun.counted(count)), digest \(hash.shortDigest)"
  }

  /// Adds the whole value to a hash, without making its text.
  private func combine(into hash: inout FNV1a) {
    switch self {
    case .null: hash.combine(UInt64(0))
    case .bool(let value): hash.combine(value ? UInt64(1) : 2)
    case .number(let text):
      hash.combine(UInt64(3))
      hash.combine(text: text)
    case .string(let text):
      hash.combine(UInt64(4))
      hash.combine(UInt64(text.utf8.count))
      hash.combine(text: text)
    case .array(let values):
      hash.combine(UInt64(5))
      hash.combine(UInt64(values.count))
      for value in values { value.combine(into: &hash) }
    case .object(let fields):
      hash.combine(UInt64(6))
      hash.combine(UInt64(fields.count))
      for field in fields {
        JSONValue.string(field.name).combine(into: &hash)
        field.value.combine(into: &hash)
      }
    }
  }

  private static let shortestCut = 8
}

extension Int {
  func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}

extension JSONValue {
  /// Maximum size of a composed value, in bytes of text. A value that is repeatedly inserted into itself doubles each
  /// time.
  package static let largest = 1_000_000

  /// Returns the approximate size as text in bytes. Stops counting at `most`.
  package func size(upTo most: Int) -> Int {
    switch self {
    case .null, .bool: return 4
    case .number(let text), .string(let text): return text.utf8.count + 2
    case .array(let values):
      return values.reduce(into: 2) { size, value in
        if size <= most { size += 1 + value.size(upTo: most - size) }
      }
    case .object(let fields):
      return fields.reduce(into: 2) { size, field in
        if size <= most { size += field.name.utf8.count + 3 + field.value.size(upTo: most - size) }
      }
    }
  }
}

extension JSONValue {
  /// Whether two values are equal in meaning: 1.50 equals 1.5, and the order of an object's fields does not matter
  /// (RFC 8259, sections 4 and 6).
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

  /// The value in a form that is equal for values that are the same in meaning.
  package var canonical: JSONValue {
    switch self {
    case .number(let text):
      let decimal = Decimal(text)
      guard let power = decimal.power else { return self }
      let digits = String(decoding: decimal.digits, as: UTF8.self)
      return .number((decimal.isNegative ? "-" : "") + "0.\(digits)e\(power)")
    case .array(let values): return .array(values.map(\.canonical))
    case .object(let fields):
      let canonical = fields.enumerated()
        .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
        .map { Field(name: $0.element.name, value: $0.element.value.canonical) }
      return .object(canonical)
    default: return self
    }
  }

  /// Returns whether it is less, for two numbers or two texts; nil for other values. Numbers are compared by all their
  /// digits.
  package func isLess(than other: JSONValue) -> Bool? {
    switch (self, other) {
    case (.number(let left), .number(let right)): Decimal(left).isLess(than: Decimal(right))
    case (.string(let left), .string(let right)): left < right
    default: nil
    }
  }

  /// Whether this value contains `part`: objects may have more fields, at any depth.
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

  /// A number as its digits without leading and trailing zeros, and the position of the point.
  private struct Decimal: Equatable {
    var isNegative = false
    var digits: [UInt8] = []
    /// The value is 0.DIGITS times ten to this power; nil if that does not fit an Int.
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

    /// Returns nil for an exponent that does not fit an Int.
    func isLess(than other: Decimal) -> Bool? {
      guard let power, let otherPower = other.power else { return nil }
      if isNegative != other.isNegative { return isNegative }
      if digits.isEmpty || other.digits.isEmpty {
        return digits.count != other.digits.count && digits.isEmpty != isNegative
      }
      if power != otherPower { return (power < otherPower) != isNegative }
      if digits == other.digits { return false }
      return digits.lexicographicallyPrecedes(other.digits) != isNegative
    }
  }
}
