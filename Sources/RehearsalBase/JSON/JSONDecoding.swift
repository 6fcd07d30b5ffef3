/// Why JSON cannot be decoded as a type, and where.
package struct JSONMismatch: Error, Equatable, Sendable {
  /// The names and indexes that lead to the value, such as `events[3].time`; empty for the whole.
  package let path: String
  package let reason: Reason

  package enum Reason: Equatable, Sendable {
    case missing
    /// The value has another type than the expected one, for example `a text`.
    case notThis(String)
    /// The value has the right type but is refused: `is -1, which is out of range`.
    case refused(String)
  }

  package init(_ path: String, _ reason: Reason) { (self.path, self.reason) = (path, reason) }

  package init(_ path: [any CodingKey], _ reason: Reason) {
    self.path = path.reduce("") { path, key in
      key.intValue.map { "\(path)[\($0)]" }
        ?? (path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)")
    }
    self.reason = reason
  }

  /// The last name in the path.
  package var field: Substring { path.split { $0 == "." || $0 == "[" }.last ?? "" }
}

extension JSONValue {
  /// Decodes a value.
  ///
  /// A field that is `null` counts as missing, and unknown fields are skipped.
  ///
  /// - Throws: `JSONMismatch` for the first mismatch.
  package func decode<Value: Decodable>(
    _ type: Value.Type = Value.self
  ) throws(JSONMismatch) -> Value {
    do {
      return try JSONDecoding(value: self, codingPath: []).decode(type)
    } catch let problem as JSONMismatch {
      throw problem
    } catch DecodingError.dataCorrupted(let context) {
      throw JSONMismatch(context.codingPath, .notThis(context.debugDescription))
    } catch {
      throw JSONMismatch([], .notThis("\(error)"))
    }
  }
}

/// A decoder that reads from JSON.
private struct JSONDecoding: Decoder {
  let value: JSONValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func mismatch(_ expected: String) -> JSONMismatch {
    JSONMismatch(codingPath, .notThis(expected))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let fields) = value else { throw mismatch("an object") }
    return KeyedDecodingContainer(Fields(fields: fields, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch("a list") }
    return Elements(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let fields: [JSONValue.Field]
    let codingPath: [any CodingKey]

    var allKeys: [Key] { fields.compactMap { Key(stringValue: $0.name) } }

    private func value(_ key: any CodingKey) throws -> JSONDecoding {
      let value = fields.first { $0.name == key.stringValue }?.value ?? .null
      let decoding = JSONDecoding(value: value, codingPath: codingPath + [key])
      if value == .null { throw JSONMismatch(decoding.codingPath, .missing) }
      return decoding
    }

    func contains(_ key: Key) -> Bool { fields.contains { $0.name == key.stringValue } }
    func decodeNil(forKey key: Key) -> Bool {
      fields.first { $0.name == key.stringValue }.map { $0.value == .null } ?? true
    }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try value(key).decode(type)
    }
    func nestedContainer<Other: CodingKey>(
      keyedBy type: Other.Type,
      forKey key: Key
    ) throws -> KeyedDecodingContainer<Other> { try value(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try value(key).unkeyedContainer()
    }
    func superDecoder() -> any Decoder {
      JSONDecoding(value: .object(fields), codingPath: codingPath)
    }
    func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }
  }

  private struct Elements: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(elements: [JSONValue], codingPath: [any CodingKey]) {
      (self.elements, self.codingPath) = (elements, codingPath)
    }

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    private mutating func next() throws -> JSONDecoding {
      let path = codingPath + [ElementIndex(currentIndex)]
      guard !isAtEnd else { throw JSONMismatch(path, .missing) }
      defer { currentIndex += 1 }
      return JSONDecoding(value: elements[currentIndex], codingPath: path)
    }

    mutating func decodeNil() -> Bool {
      guard !isAtEnd, elements[currentIndex] == .null else { return false }
      currentIndex += 1
      return true
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try next().decode(type)
    }
    mutating func nestedContainer<Key: CodingKey>(
      keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> { try next().container(keyedBy: type) }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try next().unkeyedContainer()
    }
    mutating func superDecoder() throws -> any Decoder { try next() }
  }

  private struct ElementIndex: CodingKey {
    let index: Int
    init(_ index: Int) { self.index = index }
    var intValue: Int? { index }
    var stringValue: String { "\(index)" }
    init?(intValue: Int) { nil }
    init?(stringValue: String) { nil }
  }
}

extension JSONDecoding: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let (found, expected): (Any?, String)
    switch type {
    case is String.Type: (found, expected) = (text, "a text")
    case is Bool.Type:
      (found, expected) = (
        value == .bool(true) ? true : value == .bool(false) ? false : nil, "true or false"
      )
    case let type as any FixedWidthInteger.Type:
      (found, expected) = (number.flatMap { type.read($0) }, "a whole number")
    case is Double.Type: (found, expected) = (number.flatMap { Double($0) }, "a number")
    case is Duration.Type:
      (found, expected) = (
        number.flatMap { Duration(jsonSeconds: $0) }, "a number of seconds, 0 or more"
      )
    case let type as any (CaseIterable & RawRepresentable<String>).Type:
      (found, expected) = (text.flatMap { type.read($0) }, "one of \(type.allWords)")
    default: return try type.init(from: self)
    }
    guard let found = found as? Value else { throw mismatch(expected) }
    return found
  }

  private var text: String? { if case .string(let text) = value { text } else { nil } }
  private var number: String? { if case .number(let text) = value { text } else { nil } }
}

extension FixedWidthInteger {
  fileprivate static func read(_ text: String) -> Self? { Self(text) }
}

extension CaseIterable where Self: RawRepresentable<String> {
  fileprivate static func read(_ word: String) -> Self? { Self(rawValue: word) }
  fileprivate static var allWords: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
