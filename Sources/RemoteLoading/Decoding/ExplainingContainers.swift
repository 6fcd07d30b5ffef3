/// The fields of an object.
struct ExplainingFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: ExplainingDecoder
  private let fields: [(name: String, value: JSONText)]
  var codingPath: [any CodingKey] { decoder.codingPath }

  init(of decoder: ExplainingDecoder, _ fields: [(name: String, value: JSONText)]) {
    self.decoder = decoder
    self.fields = fields
  }

  var allKeys: [Key] { fields.compactMap { Key(stringValue: decoder.decoding.keyName($0.name)) } }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    try child(key, expected: "a value").decodeNil()
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try child(key, expected: typeName(T.self)).decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try child(key, expected: "an object").container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try child(key, expected: "an array").unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { missing(NameKey("super"), named: "super") }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    (try? child(key, expected: "a value")) ?? missing(key, named: key.stringValue)
  }

  /// Of several fields with one name the first counts, as in Foundation.
  private func find(_ key: any CodingKey) -> (name: String, value: JSONText)? {
    fields.first { decoder.decoding.keyName($0.name) == key.stringValue }
  }

  private func child(
    _ key: any CodingKey,
    expected: String
  ) throws(RemoteError) -> ExplainingDecoder {
    if let field = find(key) {
      return decoder.field(field.value, key, named: field.name, expected: expected)
    }
    throw decoder.field(.null, key, named: key.stringValue, expected: expected)
      .error(found: "nothing")
  }

  private func missing(_ key: any CodingKey, named name: String) -> ExplainingDecoder {
    let field = find(key)
    return decoder.field(field?.value ?? .null, key, named: name, expected: "a value")
  }
}

/// The elements of an array.
struct ExplainingElements: UnkeyedDecodingContainer {
  private let decoder: ExplainingDecoder
  private let elements: [JSONText]
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { decoder.codingPath }

  init(of decoder: ExplainingDecoder, _ elements: [JSONText]) {
    self.decoder = decoder
    self.elements = elements
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  mutating func decodeNil() throws -> Bool {
    let isNull = try element(expected: "a value").decodeNil()
    if isNull { currentIndex += 1 }
    return isNull
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try element(expected: typeName(T.self)).decode(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let container = try element(expected: "an object").container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try element(expected: "an array").unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try element(expected: "a value")
    currentIndex += 1
    return decoder
  }

  private func element(expected: String) throws(RemoteError) -> ExplainingDecoder {
    guard isAtEnd else {
      return decoder.element(elements[currentIndex], at: currentIndex, expected: expected)
    }
    throw decoder.element(.null, at: currentIndex, expected: expected).error(found: "nothing")
  }
}

struct IndexKey: CodingKey {
  let intValue: Int?
  var stringValue: String { "Index \(intValue ?? 0)" }

  init(_ index: Int) { intValue = index }
  init?(intValue: Int) { self.init(intValue) }
  init?(stringValue: String) { nil }
}

struct NameKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(intValue: Int) { nil }
  init?(stringValue: String) { self.init(stringValue) }
}
