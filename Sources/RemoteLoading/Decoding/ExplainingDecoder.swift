import FoundationEssentials
import Loading

/// Decodes once more what Foundation's decoder has refused, and throws a `RemoteError` that says
/// where, what was expected, and what was found: more than a `DecodingError` knows.
struct ExplainingDecoder: Decoder {
  let value: JSONText
  let codingPath: [any CodingKey]
  let path: JSONPath
  /// What the value should be, in words or as a type's name.
  let expected: String
  let decoding: RemoteDecoding
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(
    _ value: JSONText,
    codingPath: [any CodingKey] = [],
    path: JSONPath = JSONPath(),
    expected: String,
    decoding: RemoteDecoding
  ) {
    self.value = value
    self.codingPath = codingPath
    self.path = path
    self.expected = expected
    self.decoding = decoding
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let fields) = value else { throw mismatch() }
    return KeyedDecodingContainer(ExplainingFields<Key>(of: self, fields))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch() }
    return ExplainingElements(of: self, elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  // MARK: Going down

  func element(_ value: JSONText, at index: Int, expected: String) -> ExplainingDecoder {
    down(value, IndexKey(index), path.appending(index: index), expected)
  }

  func field(_ value: JSONText, _ key: any CodingKey, named name: String, expected: String)
    -> ExplainingDecoder
  {
    down(value, key, path.appending(name: name), expected)
  }

  private func down(
    _ value: JSONText,
    _ key: any CodingKey,
    _ path: JSONPath,
    _ expected: String
  ) -> ExplainingDecoder {
    ExplainingDecoder(
      value,
      codingPath: codingPath + [key],
      path: path,
      expected: expected,
      decoding: decoding
    )
  }

  // MARK: Errors

  /// The value is of another kind.
  func mismatch() -> RemoteError { error(found: value.kindInWords) }

  func error(found: String) -> RemoteError {
    .decoding(path: path.description, expected: expected, found: found)
  }

  /// What somebody else has thrown about the value.
  func refusal(_ error: any Error, root: JSONText? = nil) -> RemoteError {
    switch error {
    case let error as RemoteError: return error
    case let error as UnexpectedValue:
      let (path, found) = (root ?? value).found(at: error.codingPath)
      return .decoding(path: path.description, expected: error.expected, found: found)
    case DecodingError.dataCorrupted(let context):
      // The standard library's words about enums, and ours about dates, only repeat the type.
      let isPlain = context.debugDescription.hasPrefix("Cannot initialize")
      let reason = isPlain ? "" : " (\(context.debugDescription))"
      return .decoding(path: path.description, expected: expected + reason, found: value.inWords)
    case DecodingError.typeMismatch(let type, _), DecodingError.valueNotFound(let type, _):
      return .decoding(path: path.description, expected: typeName(type), found: value.kindInWords)
    case DecodingError.keyNotFound(let key, _):
      let path = path.appending(name: key.stringValue)
      return .decoding(path: path.description, expected: "a value", found: "nothing")
    default:
      return .decoding(path: path.description, expected: expected, found: describe(error))
    }
  }
}

extension ExplainingDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool {
    if case .null = value { true } else { false }
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let decoder = ExplainingDecoder(
      value,
      codingPath: codingPath,
      path: path,
      expected: typeName(T.self),
      decoding: decoding
    )
    if let leaf = try decoder.leaf(type) { return leaf }
    do {
      return try T(from: decoder)
    } catch let error as DecodingError {
      throw decoder.refusal(error)
    }
  }
}
