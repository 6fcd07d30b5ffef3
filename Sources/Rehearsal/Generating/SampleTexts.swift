import RehearsalBase
import Script

/// Values for the arguments of generated commands, as text, the simplest first. Several differ from
/// each other, so that a value shows which command wrote it.
enum SampleTexts {
  static let texts = [#""a""#, #""b""#, #""ab""#, #""""#]
  static let durations = ["1s", "2s", "100ms", "0s"]
  static let values = ["1", "2", #""a""#, #""b""#, "true", "null", "[]", "[1]", "{}"]

  /// Returns whole numbers in a range: small ones, and the ends unless they are very far.
  static func integers(in range: ClosedRange<Int> = 0...2) -> [String] {
    let far = 1_000_000
    let ends = [range.lowerBound, range.upperBound].filter { (-far...far).contains($0) }
    var known: Set<Int> = []
    return ([0, 1, 2, -1] + ends).filter { range.contains($0) && known.insert($0).inserted }
      .map { "\($0)" }
  }

  /// Returns values of a type; empty if none is known.
  static func values(of type: ValueType) -> [String] {
    switch type {
    case .any, .int, .double: ["1", "2", "3"]
    case .string, .text, .data: [#""a""#, #""b""#, #""c""#]
    case .bool: ["true", "false"]
    case .optional(let wrapped): values(of: wrapped) + ["null"]
    case .array(let element): ["[]"] + values(of: element).prefix(2).map { "[\($0)]" }
    case .image, .date, .shape: []
    }
  }

  /// Returns values of the same kind as a value; empty if none is known.
  static func values(like value: JSONValue) -> [String] {
    switch value {
    case .bool: ["true", "false"]
    case .number: ["1", "2", "3", "0"]
    case .string: texts
    case .array(let elements):
      ["[]"] + (elements.first.map { values(like: $0).prefix(2).map { "[\($0)]" } } ?? [])
    case .null, .object: []
    }
  }

  /// Whether a text can be decoded as a type.
  static func isValue<Value: Decodable>(_ text: String, of type: Value.Type) -> Bool {
    var parser = Parser(text, table: .empty)
    guard let value = try? parser.value() else { return false }
    return (try? Value(writtenAs: value)) != nil
  }
}
