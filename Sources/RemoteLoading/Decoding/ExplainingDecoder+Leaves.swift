import FoundationEssentials
import RehearsalBase

/// Decodes simple values, numbers and dates, and explains those that do not fit.
extension ExplainingDecoder {
  /// Returns the value if Foundation's decoder has a special case for the type, nil for other
  /// types.
  func leaf<T: Decodable>(_ type: T.Type) throws -> T? {
    switch type {
    case is Bool.Type: try bool() as? T
    case is String.Type: try string() as? T
    case is Double.Type, is Float.Type: try double() as? T ?? Float(try double()) as? T
    case let type as any FixedWidthInteger.Type: try integer(type) as? T
    case is Decimal.Type: try decimal() as? T
    case is Date.Type: try date() as? T
    case is URL.Type: try read(string()) { URL(string: $0) } as? T
    case is Data.Type: try read(string()) { Data(base64Encoded: $0) } as? T
    default: nil
    }
  }

  private func bool() throws(RemoteError) -> Bool {
    guard case .bool(let isTrue) = value else { throw mismatch() }
    return isTrue
  }

  private func string() throws(RemoteError) -> String {
    guard case .string(let text) = value else { throw mismatch() }
    return text
  }

  private func number() throws(RemoteError) -> String {
    guard case .number(let text) = value else { throw mismatch() }
    return text
  }

  private func double() throws(RemoteError) -> Double {
    try read(number()) { Double($0).flatMap { $0.isFinite ? $0 : nil } }
  }

  private func decimal() throws(RemoteError) -> Decimal {
    try read(number()) { Decimal(string: $0) }
  }

  /// Returns an integer. Like Foundation, accepts 1.0 and 1e3.
  private func integer<I: FixedWidthInteger>(_ type: I.Type) throws(RemoteError) -> I {
    let text = try number()
    if let integer = I(text) ?? Double(text).flatMap({ I(exactly: $0) }) { return integer }
    throw JSONValue.isWhole(text) ? error(found: text) : mismatch()
  }

  private func date() throws(RemoteError) -> Date {
    let decoder = reading(value, at: path, expecting: .words("Date (\(decoding.dates))"))
    do {
      return try decoding.dates.date(from: DateDecoder(decoder: decoder))
    } catch {
      throw decoder.refusal(error)
    }
  }

  private func read<V, T>(_ value: V, _ read: (V) -> T?) throws(RemoteError) -> T {
    guard let result = read(value) else { throw error(found: self.value.inWords) }
    return result
  }

  /// A decoder that keeps the description of the expected format while a date's text or number is
  /// decoded.
  fileprivate struct DateDecoder: Decoder, SingleValueDecodingContainer {
    let decoder: ExplainingDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
      throw decoder.mismatch()
    }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw decoder.mismatch() }
    func decodeNil() -> Bool { decoder.decodeNil() }
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
      guard let leaf = try decoder.leaf(type) else { throw decoder.mismatch() }
      return leaf
    }
  }
}
