import RehearsalBase

/// The fields of an object or the elements of an array, decoded with the path for an error.
struct ExplainingFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: ExplainingDecoder
  private let fields: [JSONValue.Field]
  /// The first index of each name, for large objects only.
  private let index: [String: Int]?
  var codingPath: [any CodingKey] { decoder.codingPath }

  init(of decoder: ExplainingDecoder, _ fields: [JSONValue.Field]) {
    self.decoder = decoder
    self.fields = fields
    let names = fields.count > 16 ? fields.map { decoder.decoding.keyName($0.name) } : nil
    index = names.map { names in
      Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }
  }

  var allKeys: [Key] { fields.compactMap { Key(stringValue: decoder.decoding.keyName($0.name)) } }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    try child(key, expecting: .words("a value")).decodeNil()
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try child(key, expecting: .type(type)).decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try child(key, expecting: .words("an object")).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try child(key, expecting: .words("an array")).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { superDecoder(for: NameKey("super")) }

  func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(for: key) }

  /// Returns the first field with the name, as Foundation does.
  private func find(_ key: any CodingKey) -> JSONValue.Field? {
    if let index { return index[key.stringValue].map { fields[$0] } }
    return fields.first { decoder.decoding.keyName($0.name) == key.stringValue }
  }

  private func child(
    _ key: any CodingKey,
    expecting expectation: ExplainingDecoder.Expectation
  ) throws(RemoteError) -> ExplainingDecoder {
    let field = find(key)
    let child = reading(field, key, expecting: expectation)
    if field == nil { throw child.error(found: "nothing") }
    return child
  }

  /// Returns a decoder that reads null if the field is missing, as Foundation does.
  private func superDecoder(for key: any CodingKey) -> ExplainingDecoder {
    reading(find(key), key, expecting: .words("a value"))
  }

  private func reading(
    _ field: JSONValue.Field?,
    _ key: any CodingKey,
    expecting expectation: ExplainingDecoder.Expectation
  ) -> ExplainingDecoder {
    let name = field?.name ?? key.stringValue
    let path = JSONPath.field(of: decoder.path, name: name, key: key)
    return decoder.reading(field?.value ?? .null, at: path, expecting: expectation)
  }
}

/// The elements of an array.
struct ExplainingElements: UnkeyedDecodingContainer {
  private let decoder: ExplainingDecoder
  private let elements: [JSONValue]
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { decoder.codingPath }

  init(of decoder: ExplainingDecoder, _ elements: [JSONValue]) {
    self.decoder = decoder
    self.elements = elements
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  mutating func decodeNil() throws -> Bool {
    let isNull = try element(expecting: .words("a value")).decodeNil()
    if isNull { currentIndex += 1 }
    return isNull
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try element(expecting: .type(type)).decode(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let container = try element(expecting: .words("an object")).container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try element(expecting: .words("an array")).unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try element(expecting: .words("a value"))
    currentIndex += 1
    return decoder
  }

  private func element(
    expecting expectation: ExplainingDecoder.Expectation
  ) throws(RemoteError) -> ExplainingDecoder {
    let path = JSONPath.element(of: decoder.path, currentIndex)
    let value = isAtEnd ? JSONValue.null : elements[currentIndex]
    let element = decoder.reading(value, at: path, expecting: expectation)
    if isAtEnd { throw element.error(found: "nothing") }
    return element
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
