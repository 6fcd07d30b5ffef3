import FoundationEssentials
import RehearsalBase
import RemoteLoading
import Script

/// Decodes the body of a response as the type of a member, with Foundation's decoder.
extension ValueType {
  /// Returns the value of a response for a member of this type.
  ///
  /// - Throws: `RemoteError`.
  func value(of response: RemoteResponse) throws -> JSONValue {
    let body = response.body
    switch self {
    case .data: return .string("byte".counted(body.count))
    case .text: return .string(try RemoteDecoding().text(of: body))
    case .image: return .string("\(try ImageSignature(body)), \(body.count) bytes")
    case .optional, .any:
      if body.isEmpty { return .null }
      return try decoded(body)
    default: return try decoded(body)
    }
  }

  private func decoded(_ body: [UInt8]) throws -> JSONValue {
    try RemoteDecoding().decode(from: body, as: text) { try value(from: $0) }
  }

  /// Decodes the value with Foundation's decoder, as a Swift type with these fields would.
  ///
  /// Fields that a shape does not name are left out, and so are missing optional fields. A value of
  /// any type has its fields sorted by name, because Foundation keeps no order.
  private func value(from decoder: any Decoder) throws -> JSONValue {
    switch self {
    case .any: return try Self.anything(from: decoder)
    case .string, .text: return .string(try decoder.singleValueContainer().decode(String.self))
    case .int: return .number("\(try decoder.singleValueContainer().decode(Int.self))")
    case .double: return .number("\(try decoder.singleValueContainer().decode(Double.self))")
    case .bool: return .bool(try decoder.singleValueContainer().decode(Bool.self))
    case .date(let format): return try format.value(from: decoder)
    case .optional(let wrapped):
      if try decoder.singleValueContainer().decodeNil() { return .null }
      return try wrapped.value(from: decoder)
    case .array(let element):
      guard let list = try? decoder.unkeyedContainer() else { throw unexpected(in: decoder) }
      return .array(try Self.elements(of: list, as: element))
    case .shape(_, let fields):
      guard let object = try? decoder.container(keyedBy: FieldName.self) else {
        throw unexpected(in: decoder)
      }
      return .object(try Self.fields(fields, of: object))
    case .data, .image:
      throw unexpected(in: decoder)
    }
  }

  private func unexpected(in decoder: any Decoder) -> UnexpectedValue {
    UnexpectedValue(at: decoder.codingPath, expected: text)
  }

  private static func elements(
    of list: any UnkeyedDecodingContainer,
    as type: ValueType
  ) throws -> [JSONValue] {
    var list = list
    var values: [JSONValue] = []
    while !list.isAtEnd { values.append(try type.value(from: list.superDecoder())) }
    return values
  }

  private static func fields(
    _ fields: [Field],
    of object: KeyedDecodingContainer<FieldName>
  ) throws -> [JSONValue.Field] {
    try fields.compactMap { field in
      let key = FieldName(stringValue: field.name)
      if case .optional = field.type, try !object.contains(key) || object.decodeNil(forKey: key) {
        return nil
      }
      guard object.contains(key) else {
        throw UnexpectedValue(at: object.codingPath + [key], expected: field.type.text)
      }
      return .init(
        name: field.name,
        value: try field.type.value(from: object.superDecoder(forKey: key))
      )
    }
  }

  // MARK: Values of any type

  private static func anything(from decoder: any Decoder) throws -> JSONValue {
    if let object = try? decoder.container(keyedBy: FieldName.self) {
      let keys = object.allKeys.sorted { $0.stringValue < $1.stringValue }
      return .object(
        try keys.map { key in
          .init(name: key.stringValue, value: try anything(from: object.superDecoder(forKey: key)))
        }
      )
    }
    if let list = try? decoder.unkeyedContainer() {
      return .array(try elements(of: list, as: .any))
    }
    return try scalar(in: decoder.singleValueContainer())
  }

  private static func scalar(in container: any SingleValueDecodingContainer) throws -> JSONValue {
    if container.decodeNil() { return .null }
    if let text = try? container.decode(String.self) { return .string(text) }
    // Decimal is exact to 38 digits. Int also accepts numbers that a Double rounds to a whole one.
    if let number = try? container.decode(Decimal.self) { return .number("\(number)") }
    if let flag = try? container.decode(Bool.self) { return .bool(flag) }
    return .number("\(try container.decode(Double.self))")
  }
}

/// A coding key with any name.
private struct FieldName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
