public import FoundationEssentials
import RehearsalBase

/// The decoding of bodies: JSON, with Foundation's decoder.
public struct RemoteDecoding: Sendable, Hashable {
  /// The format of dates.
  public var dates: DateFormat
  /// The mapping from names to keys.
  public var keys: Keys

  /// A mapping from the names in a body to a type's keys.
  public enum Keys: Sendable, Hashable, CaseIterable {
    /// Names are keys unchanged.
    case asWritten
    /// `poster_path` becomes `posterPath`.
    case fromSnakeCase
  }

  /// Creates a decoding, by default with ISO 8601 dates and unchanged names.
  public init(dates: DateFormat = .iso8601, keys: Keys = .asWritten) {
    self.dates = dates
    self.keys = keys
  }

  /// Decodes a body.
  ///
  /// - Throws: `RemoteError.decoding`, with the path and the expected and found value.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self,
    from body: [UInt8]
  ) throws(RemoteError) -> T {
    do {
      return try decoder.decode(T.self, from: Data(body))
    } catch {
      throw explain(error, body, typeName(T.self)) { try $0.decode(T.self) }
    }
  }

  /// Decodes a body with a configuration.
  ///
  /// - Throws: `RemoteError.decoding`.
  public func decode<T: DecodableWithConfiguration>(
    _ type: T.Type = T.self,
    from body: [UInt8],
    configuration: T.DecodingConfiguration
  ) throws(RemoteError) -> T {
    try decode(from: body, as: typeName(T.self)) { try T(from: $0, configuration: configuration) }
  }

  /// Decodes a body with a function, for values without a static type.
  ///
  /// - Parameters:
  ///   - body: the received bytes.
  ///   - name: the name of the root in errors.
  ///   - read: reads the value, and throws `UnexpectedValue` for an unexpected one. After an error, it is
  ///     called again with the same body to explain the error.
  /// - Returns: the result of `read`.
  /// - Throws: `RemoteError.decoding`.
  public func decode<T>(
    from body: [UInt8],
    as name: String,
    _ read: (any Decoder) throws -> T
  ) throws(RemoteError) -> T {
    do {
      return try withoutActuallyEscaping(read) { read in
        try decoder.decode(ReadByFunction<T>.self, from: Data(body), configuration: read).value
      }
    } catch {
      throw explain(error, body, name) { try read($0) }
    }
  }

  /// Returns a body as UTF-8 text.
  ///
  /// - Throws: `RemoteError.decoding`, with the first invalid byte.
  public func text(of body: [UInt8]) throws(RemoteError) -> String {
    if let text = String(validating: body, as: UTF8.self) { return text }
    let found = JSONProblem(encodingOf: body)?.inBody(body) ?? "no UTF-8"
    throw RemoteError.decoding(path: "", expected: "Text", found: found)
  }

  private var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    let dates = dates
    decoder.dateDecodingStrategy = .custom { try dates.date(from: $0) }
    if keys == .fromSnakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
    return decoder
  }

  /// Returns the place and reason of a failure, by decoding again with a decoder that tracks them.
  private func explain<T>(
    _ error: any Error,
    _ body: [UInt8],
    _ name: String,
    by decode: (ExplainingDecoder) throws -> T
  ) -> RemoteError {
    let root: JSONValue
    do throws(JSONProblem) {
      root = try JSONValue(json: body, repeatedNames: .kept)
    } catch let problem {
      let found = ContentGuess(body).markup ?? problem.inBody(body)
      return .decoding(path: "", expected: name, found: found)
    }
    let decoder = ExplainingDecoder(root, expecting: .words(name), decoding: self)
    do {
      _ = try decode(decoder)
    } catch let error as RemoteError {
      return error
    } catch {
      return decoder.refusal(error, root: root)
    }
    return decoder.refusal(error, root: root)
  }
}

/// An error for a function that reads a value with a decoder and finds an unexpected one.
public struct UnexpectedValue: Error {
  /// The path of the value.
  public let codingPath: [any CodingKey]
  /// The expected type, or a description.
  public let expected: String
  /// Whether the error shows the value itself and not only its kind. Set it if the kind is correct.
  public let tellsValue: Bool

  /// Creates an error for an unexpected value.
  ///
  /// - Parameters:
  ///   - codingPath: the coding path of the decoder or container.
  ///   - expected: the type or a description, such as `Post`, `a list of numbers`.
  ///   - tellsValue: whether the error shows the value itself and not only its kind.
  public init(at codingPath: [any CodingKey], expected: String, tellsValue: Bool = false) {
    self.codingPath = codingPath
    self.expected = expected
    self.tellsValue = tellsValue
  }
}

extension JSONProblem {
  /// Returns a description of a body that is not JSON.
  fileprivate func inBody(_ body: [UInt8]) -> String {
    switch reason {
    case .empty: return "nothing"
    case .nestedTooDeep: return "more than \(JSONCursor.deepest) levels"
    case .notUTF8(let byte):
      return "invalid UTF-8: byte \(hexadecimal([byte])) at offset \(range.lowerBound)"
    default:
      let isCutOff = isCutOff(in: body)
      let offset = isCutOff ? body.count : range.lowerBound
      let (line, column) = Self.place(of: offset, in: body)
      return
        "\(isCutOff ? "JSON that ends early at" : "invalid JSON at") line \(line), column \(column)"
    }
  }
}

/// Returns bytes as a hexadecimal dump: `7f 45 4c`.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
}

private struct ReadByFunction<T>: DecodableWithConfiguration {
  let value: T

  init(from decoder: any Decoder, configuration read: (any Decoder) throws -> T) throws {
    value = try read(decoder)
  }
}
