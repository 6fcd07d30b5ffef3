/// Encodes `Codable` values as bytes for another process of the same program.
///
/// Values follow each other in the order in which their types encode them, and are decoded in the same order, as the
/// synthesized conformances do. Some features of other coders are therefore not supported: dictionaries whose keys are
/// strings or integers, except those from text to text, and optional elements of collections.
package enum MessageCoding {
  package static func encode(_ value: some Encodable) -> [UInt8] {
    let output = Output()
    do {
      try value.encode(to: Writer(output: output))
    } catch {
      preconditionFailure("Encoding to memory does not fail: \(error)")
    }
    return output.bytes
  }

  package static func decode<Value: Decodable>(
    _ type: Value.Type,
    from bytes: ArraySlice<UInt8>
  ) throws -> Value {
    try Value(from: Reader(input: Input(bytes)))
  }
}

/// The bytes do not have the form of the decoded type.
package struct MalformedMessage: Error {}

// MARK: Encoding

private final class Output {
  var bytes: [UInt8] = []

  func write<Number: BitwiseCopyable>(_ number: Number) {
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }

  /// Writes many numbers at once.
  func write<Number: BitwiseCopyable>(list: [Number]) {
    write(UInt32(list.count))
    list.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  func write(_ text: String) {
    write(UInt32(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// Begins a list of entries, which `count(at:)` counts.
  func beginCount() -> Int {
    write(UInt32(0))
    return bytes.count - 4
  }

  func count(at place: Int) {
    bytes.withUnsafeMutableBytes { buffer in
      let count = buffer.loadUnaligned(fromByteOffset: place, as: UInt32.self)
      buffer.storeBytes(of: count + 1, toByteOffset: place, as: UInt32.self)
    }
  }
}

private struct Writer: Encoder, SingleValueEncodingContainer {
  let output: Output
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedWriter(output))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { ListWriter(output) }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { preconditionFailure("Optional elements are not supported.") }
  func encode(_ value: Bool) { output.write(value ? 1 as UInt8 : 0) }
  func encode(_ value: String) { output.write(value) }
  func encode(_ value: Double) { output.write(value) }
  func encode(_ value: Float) { output.write(value) }
  func encode(_ value: Int) { output.write(value) }
  func encode(_ value: Int8) { output.write(value) }
  func encode(_ value: Int16) { output.write(value) }
  func encode(_ value: Int32) { output.write(value) }
  func encode(_ value: Int64) { output.write(value) }
  func encode(_ value: UInt) { output.write(value) }
  func encode(_ value: UInt8) { output.write(value) }
  func encode(_ value: UInt16) { output.write(value) }
  func encode(_ value: UInt32) { output.write(value) }
  func encode(_ value: UInt64) { output.write(value) }
  func encode<Value: Encodable>(_ value: Value) throws {
    if Value.self == [Int].self, let list = value as? [Int] {
      output.write(list: list)
    } else if Value.self == Set<UInt64>.self, let set = value as? Set<UInt64> {
      output.write(list: Array(set))
    } else if Value.self == [UInt8].self, let list = value as? [UInt8] {
      output.write(list: list)
    } else if Value.self == [String: String].self, let texts = value as? [String: String] {
      try texts.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }.encode(to: self)
    } else {
      try value.encode(to: self)
    }
  }
}

private struct KeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  private let output: Output
  private let place: Int
  var codingPath: [any CodingKey] { [] }

  init(_ output: Output) {
    self.output = output
    place = output.beginCount()
  }

  private func begin(_ key: Key) -> Writer {
    output.count(at: place)
    output.write(key.stringValue)
    return Writer(output: output)
  }

  func encodeNil(forKey key: Key) {}
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try begin(key).encode(value)
  }
  func nestedContainer<Nested>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    begin(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    begin(key).unkeyedContainer()
  }
  func superEncoder() -> any Encoder { Writer(output: output) }
  func superEncoder(forKey key: Key) -> any Encoder { begin(key) }
}

private struct ListWriter: UnkeyedEncodingContainer {
  private let output: Output
  private let place: Int
  private(set) var count = 0
  var codingPath: [any CodingKey] { [] }

  init(_ output: Output) {
    self.output = output
    place = output.beginCount()
  }

  private mutating func begin() -> Writer {
    count += 1
    output.count(at: place)
    return Writer(output: output)
  }

  mutating func encodeNil() { preconditionFailure("Optional elements are not supported.") }
  mutating func encode<Value: Encodable>(_ value: Value) throws { try begin().encode(value) }
  mutating func nestedContainer<Nested>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { begin().container(keyedBy: type) }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    begin().unkeyedContainer()
  }
  mutating func superEncoder() -> any Encoder { begin() }
}

// MARK: Decoding

private final class Input {
  private let bytes: ArraySlice<UInt8>
  private var place: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  var bytesLeft: Int { bytes.endIndex - place }

  func read<Number: BitwiseCopyable>(_ type: Number.Type) throws -> Number {
    let size = MemoryLayout<Number>.size
    guard bytesLeft >= size else { throw MalformedMessage() }
    defer { place += size }
    let offset = place - bytes.startIndex
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }

  func readList<Number: BitwiseCopyable>(of type: Number.Type) throws -> [Number] {
    let count = Int(try read(UInt32.self))
    let size = count * MemoryLayout<Number>.stride
    guard bytesLeft >= size else { throw MalformedMessage() }
    defer { place += size }
    let offset = place - bytes.startIndex
    return [Number](unsafeUninitializedCapacity: count) { list, filled in
      UnsafeMutableRawBufferPointer(list).copyBytes(from: bytes.dropFirst(offset).prefix(size))
      filled = count
    }
  }

  func readText() throws -> String {
    let count = Int(try read(UInt32.self))
    guard bytesLeft >= count else { throw MalformedMessage() }
    defer { place += count }
    return String(decoding: bytes[place..<place + count], as: UTF8.self)
  }
}

private struct Reader: Decoder, SingleValueDecodingContainer {
  let input: Input
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(try KeyedReader(input))
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try ListReader(input) }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { false }
  func decode(_ type: Bool.Type) throws -> Bool { try input.read(UInt8.self) == 1 }
  func decode(_ type: String.Type) throws -> String { try input.readText() }
  func decode(_ type: Double.Type) throws -> Double { try input.read(type) }
  func decode(_ type: Float.Type) throws -> Float { try input.read(type) }
  func decode(_ type: Int.Type) throws -> Int { try input.read(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try input.read(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try input.read(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try input.read(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try input.read(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try input.read(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try input.read(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try input.read(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try input.read(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try input.read(type) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type == [Int].self, let list = try input.readList(of: Int.self) as? Value { return list }
    if type == Set<UInt64>.self, let set = Set(try input.readList(of: UInt64.self)) as? Value {
      return set
    }
    if type == [UInt8].self, let list = try input.readList(of: UInt8.self) as? Value { return list }
    if type == [String: String].self, let texts = try readTexts() as? Value { return texts }
    return try Value(from: self)
  }
}

extension Reader {
  fileprivate func readTexts() throws -> [String: String] {
    let list = try [String](from: self)
    guard list.count.isMultiple(of: 2) else { throw MalformedMessage() }
    let pairs = stride(from: 0, to: list.count, by: 2).map { (list[$0], list[$0 + 1]) }
    return Dictionary(pairs) { first, _ in first }
  }
}

private final class KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let input: Input
  /// The number of remaining entries, including the one that `nextKey` names.
  private var left: Int
  private var nextKey: String?
  var codingPath: [any CodingKey] { [] }

  init(_ input: Input) throws {
    self.input = input
    left = Int(try input.read(UInt32.self))
    try readKey()
  }

  private func readKey() throws { nextKey = left > 0 ? try input.readText() : nil }

  /// Skips the key, so that its value comes next.
  private func begin(_ key: Key) throws -> Reader {
    guard nextKey == key.stringValue else { throw MalformedMessage() }
    nextKey = nil
    left -= 1
    return Reader(input: input)
  }

  var allKeys: [Key] {
    // An enum has one key and refuses two. A dictionary with keys of text or numbers finds only the first.
    nextKey.flatMap(Key.init(stringValue:)).map { Array(repeating: $0, count: min(left, 2)) } ?? []
  }
  func contains(_ key: Key) -> Bool {
    if nextKey == nil { try? readKey() }
    return nextKey == key.stringValue
  }
  func decodeNil(forKey key: Key) -> Bool { !contains(key) }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    guard contains(key) else { throw MalformedMessage() }
    return try begin(key).decode(type)
  }
  func nestedContainer<Nested>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try begin(key).container(keyedBy: type) }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try begin(key).unkeyedContainer()
  }
  func superDecoder() -> any Decoder { Reader(input: input) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try begin(key) }
}

private struct ListReader: UnkeyedDecodingContainer {
  private let input: Input
  private let total: Int
  private(set) var currentIndex = 0
  var count: Int? { total }
  var isAtEnd: Bool { currentIndex == total }
  var codingPath: [any CodingKey] { [] }

  init(_ input: Input) throws {
    self.input = input
    total = Int(try input.read(UInt32.self))
    // Each element takes at least a byte. Checked because types may reserve memory for all of them.
    guard total <= input.bytesLeft else { throw MalformedMessage() }
  }

  private mutating func begin() throws -> Reader {
    guard !isAtEnd else { throw MalformedMessage() }
    currentIndex += 1
    return Reader(input: input)
  }

  mutating func decodeNil() -> Bool { false }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try begin().decode(type)
  }
  mutating func nestedContainer<Nested>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> { try begin().container(keyedBy: type) }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try begin().unkeyedContainer()
  }
  mutating func superDecoder() throws -> any Decoder { try begin() }
}
