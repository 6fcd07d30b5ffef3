extension JSONText {
  /// Encodes a value as JSON on one line.
  package init(encoding value: some Encodable, escaping: Escaping = .controls) {
    self.init(escaping: escaping)
    append(encoding: value)
  }

  /// Appends a value on the same line.
  package mutating func append(encoding value: some Encodable) {
    let writer = JSONEncoding.Writer(self)
    self = JSONText()  // Avoids a copy of the text.
    do {
      try writer.write(value)
    } catch {
      preconditionFailure("No value of ours refuses to be encoded: \(error)")
    }
    self = writer.json
  }
}

/// An encoder that writes JSON.
///
/// Fields have the order in which they are encoded; fields of a dictionary are ordered by name. A `Duration` is a number
/// of seconds.
private struct JSONEncoding: Encoder {
  /// The text, shared by all containers.
  final class Writer {
    var json: JSONText
    /// The brackets that close the open arrays and objects, the innermost last.
    private var open: [(bracket: String, isEmpty: Bool)] = []

    init(_ json: JSONText) { self.json = json }

    var depth: Int { open.count }

    func write<Value: Encodable>(_ value: Value) throws {
      switch value {
      case let value as String: json.append(text: value)
      case let value as Bool: json.append(value ? "true" : "false")
      case let value as any FixedWidthInteger: json.append("\(value)")
      case let value as Double: json.append("\(value)")
      case let value as Duration: json.append(value.decimal(attosecondDigits: 18))
      default:
        let depth = open.count
        if let fields = (value as? any NamedFields)?.fieldsByName {
          enter("{", "}", at: depth)
          for (name, field) in fields {
            begin(in: depth + 1, name)
            try write(field)
          }
        } else {
          try value.encode(to: JSONEncoding(writer: self, depth: depth))
        }
        close(to: depth)
      }
    }

    /// Opens an array or object as the value at a depth, unless it is already open.
    func enter(_ bracket: String, _ closing: String, at depth: Int) {
      close(to: depth + 1)
      guard open.count == depth else { return }
      json.append(bracket)
      open.append((closing, true))
    }

    /// Begins the next element or field of the array or object that is open at a depth.
    func begin(in depth: Int, _ name: String? = nil) {
      close(to: depth)
      if !open[depth - 1].isEmpty { json.append(", ") }
      open[depth - 1].isEmpty = false
      guard let name else { return }
      json.append(text: name)
      json.append(": ")
    }

    private func close(to depth: Int) {
      while open.count > depth { json.append(open.removeLast().bracket) }
    }
  }

  let writer: Writer
  /// The number of arrays and objects around the value.
  let depth: Int

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    writer.enter("{", "}", at: depth)
    return KeyedEncodingContainer(Fields<Key>(writer: writer, depth: depth + 1))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    writer.enter("[", "]", at: depth)
    return Elements(writer: writer, depth: depth + 1)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  private struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: Writer
    let depth: Int
    var codingPath: [any CodingKey] { [] }

    private func value(_ key: any CodingKey) -> JSONEncoding {
      writer.begin(in: depth, key.stringValue)
      return JSONEncoding(writer: writer, depth: depth)
    }

    func encodeNil(forKey key: Key) { value(key).encodeNil() }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
      try self.value(key).encode(value)
    }
    func nestedContainer<Other: CodingKey>(
      keyedBy type: Other.Type,
      forKey key: Key
    ) -> KeyedEncodingContainer<Other> { value(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      value(key).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { JSONEncoding(writer: writer, depth: depth - 1) }
    func superEncoder(forKey key: Key) -> any Encoder { value(key) }
  }

  private struct Elements: UnkeyedEncodingContainer {
    let writer: Writer
    let depth: Int
    var codingPath: [any CodingKey] { [] }
    private(set) var count = 0

    init(writer: Writer, depth: Int) { (self.writer, self.depth) = (writer, depth) }

    private mutating func next() -> JSONEncoding {
      writer.begin(in: depth)
      count += 1
      return JSONEncoding(writer: writer, depth: depth)
    }

    mutating func encodeNil() { next().encodeNil() }
    mutating func encode<Value: Encodable>(_ value: Value) throws { try next().encode(value) }
    mutating func nestedContainer<Key: CodingKey>(
      keyedBy type: Key.Type
    ) -> KeyedEncodingContainer<Key> { next().container(keyedBy: type) }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      next().unkeyedContainer()
    }
    mutating func superEncoder() -> any Encoder { next() }
  }
}

extension JSONEncoding: SingleValueEncodingContainer {
  func encodeNil() { writer.json.append("null") }
  func encode<Value: Encodable>(_ value: Value) throws { try writer.write(value) }
}

/// A dictionary whose keys are names of fields.
private protocol NamedFields {
  var fieldsByName: [(String, any Encodable)]? { get }
}

extension Dictionary: NamedFields where Value: Encodable {
  fileprivate var fieldsByName: [(String, any Encodable)]? {
    guard let fields = self as? [String: Value] else { return nil }
    return fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
