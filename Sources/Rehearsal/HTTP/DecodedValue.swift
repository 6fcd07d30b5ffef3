import FoundationEssentials
import Script

/// A value as a declared type decodes it: through Foundation's decoder, as a Swift type with these fields
/// would be.
///
/// What a shape does not name is left out. Where anything goes, the fields of objects are in the order of
/// their names, since Foundation does not keep theirs.
struct DecodedValue: DecodableWithConfiguration {
  let value: JSONValue

  init(from decoder: any Decoder, configuration type: ValueType) throws {
    value = try Self.value(of: type, from: decoder)
  }

  private static func value(of type: ValueType, from decoder: any Decoder) throws -> JSONValue {
    switch type {
    case .any: return try anything(from: decoder)
    case .string: return .string(try decoder.singleValueContainer().decode(String.self))
    case .int: return .number("\(try decoder.singleValueContainer().decode(Int.self))")
    case .double: return number(try decoder.singleValueContainer().decode(Double.self))
    case .bool: return .bool(try decoder.singleValueContainer().decode(Bool.self))
    case .optional(let wrapped):
      if try decoder.singleValueContainer().decodeNil() { return .null }
      return try value(of: wrapped, from: decoder)
    case .array(let element):
      return try elements(of: element, from: decoder.unkeyedContainer())
    case .shape(_, let fields):
      return try object(of: fields, from: decoder.container(keyedBy: FieldName.self))
    }
  }

  private static func elements(
    of type: ValueType,
    from container: consuming any UnkeyedDecodingContainer
  ) throws -> JSONValue {
    var container = container
    var values: [JSONValue] = []
    while !container.isAtEnd {
      values.append(try value(of: type, from: container.superDecoder()))
    }
    return .array(values)
  }

  private static func object(
    of fields: [ValueType.Field],
    from container: KeyedDecodingContainer<FieldName>
  ) throws -> JSONValue {
    var decoded: [JSONValue.Field] = []
    for field in fields {
      let key = FieldName(stringValue: field.name)
      if case .optional = field.type,
        try !container.contains(key) || container.decodeNil(forKey: key)
      {
        continue
      }
      guard container.contains(key) else {
        throw DecodingError.keyNotFound(
          key,
          .init(codingPath: container.codingPath, debugDescription: "")
        )
      }
      let value = try value(of: field.type, from: container.superDecoder(forKey: key))
      decoded.append(.init(name: field.name, value: value))
    }
    return .object(decoded)
  }

  // MARK: Where anything goes

  private static func anything(from decoder: any Decoder) throws -> JSONValue {
    if let container = try? decoder.container(keyedBy: FieldName.self) {
      let keys = container.allKeys.sorted { $0.stringValue < $1.stringValue }
      return .object(
        try keys.map { key in
          .init(
            name: key.stringValue,
            value: try anything(from: container.superDecoder(forKey: key))
          )
        }
      )
    }
    if let container = try? decoder.unkeyedContainer() {
      return try elements(of: .any, from: container)
    }
    return try scalar(in: decoder.singleValueContainer())
  }

  private static func scalar(in container: any SingleValueDecodingContainer) throws -> JSONValue {
    if container.decodeNil() { return .null }
    if let text = try? container.decode(String.self) { return .string(text) }
    if let whole = try? container.decode(Int.self) { return .number("\(whole)") }
    if let flag = try? container.decode(Bool.self) { return .bool(flag) }
    return number(try container.decode(Double.self))
  }

  private static func number(_ value: Double) -> JSONValue {
    // A whole number that was declared a Double prints as one.
    .number("\(value)")
  }

  private struct FieldName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
