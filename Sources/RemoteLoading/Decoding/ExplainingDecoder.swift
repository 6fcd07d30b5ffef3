import FoundationEssentials
import Loading
import RehearsalBase

/// A decoder that runs after Foundation's decoder has failed. It throws a `RemoteError` with the
/// place, the expected and the found value, which is more than a `DecodingError` has.
struct ExplainingDecoder: Decoder {
  let value: JSONValue
  let path: JSONPath
  let expectation: Expectation
  let decoding: RemoteDecoding
  var codingPath: [any CodingKey] { path.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The expected value. Its description is computed only for an error.
  enum Expectation {
    case type(Any.Type)
    case words(String)
  }

  init(
    _ value: JSONValue,
    at path: JSONPath = .whole,
    expecting expectation: Expectation,
    decoding: RemoteDecoding
  ) {
    self.value = value
    self.path = path
    self.expectation = expectation
    self.decoding = decoding
  }

  /// Returns a decoder for another value, path or expectation.
  func reading(
    _ value: JSONValue,
    at path: JSONPath,
    expecting expectation: Expectation
  ) -> ExplainingDecoder {
    ExplainingDecoder(value, at: path, expecting: expectation, decoding: decoding)
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

  // MARK: Errors

  /// Returns the error for a value of another kind.
  func mismatch() -> RemoteError { error(found: value.kindInWords) }

  private var expected: String {
    switch expectation {
    case .type(let type): typeName(type)
    case .words(let words): words
    }
  }

  func error(found: String) -> RemoteError {
    .decoding(path: path.description, expected: expected, found: found)
  }

  /// Returns the error for one that other code threw about the value.
  func refusal(_ error: any Error, root: JSONValue? = nil) -> RemoteError {
    switch error {
    case let error as RemoteError: return error
    case let error as UnexpectedValue:
      let (path, found) = (root ?? value).found(at: error.codingPath, tellsValue: error.tellsValue)
      return .decoding(path: path.description, expected: error.expected, found: found)
    case DecodingError.dataCorrupted(let context):
      // The messages of the standard library for enums, and ours for dates, only repeat the type.
      let isPlain = context.debugDescription.hasPrefix("Cannot initialize")
      let reason = isPlain ? "" : " (\(context.debugDescription))"
      return .decoding(path: path.description, expected: expected + reason, found: value.inWords)
    case DecodingError.typeMismatch(let type, _), DecodingError.valueNotFound(let type, _):
      return .decoding(path: path.description, expected: typeName(type), found: value.kindInWords)
    case DecodingError.keyNotFound(let key, _):
      let path = JSONPath.field(of: path, name: key.stringValue, key: key)
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
    let decoder = reading(value, at: path, expecting: .type(type))
    if let leaf = try decoder.leaf(type) { return leaf }
    do {
      return try T(from: decoder)
    } catch let error as DecodingError {
      throw decoder.refusal(error)
    }
  }
}
