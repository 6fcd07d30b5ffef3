/// A value of the command language: JSON, with the fields of an object in their order.
package indirect enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  /// The number as it was written, so that no digit is lost.
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

  /// What kind of value it is, in words.
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

  /// The value at a path of field names, or the name that leads nowhere.
  package func value(at path: some Sequence<String>) -> Result<JSONValue, MissingField> {
    var value = self
    for name in path {
      guard case .object(let fields) = value, let field = fields.first(where: { $0.name == name })
      else { return .failure(MissingField(name: name, value: value)) }
      value = field.value
    }
    return .success(value)
  }

  package struct MissingField: Error {
    package let name: String
    package let value: JSONValue
  }
}
