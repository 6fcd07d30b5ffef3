public import FoundationEssentials
import RehearsalBase

/// How bodies are decoded: JSON, by Foundation's decoder.
public struct RemoteDecoding: Sendable, Hashable {
  /// How dates are written.
  public var dates: DateFormat
  /// How names become keys.
  public var keys: Keys

  /// How the names in a body become those of a type's keys.
  public enum Keys: Sendable, Hashable, CaseIterable {
    /// A name is a key as it stands.
    case asWritten
    /// `poster_path` is `posterPath`.
    case fromSnakeCase
  }

  /// By default dates by ISO 8601, and names as they are written.
  public init(dates: DateFormat = .iso8601, keys: Keys = .asWritten) {
    self.dates = dates
    self.keys = keys
  }

  /// Decodes a body.
  ///
  /// - Throws: `RemoteError.decoding`, with the place, what was expected there and what was found.
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

  /// Decodes a body whose type needs to be told more.
  ///
  /// - Throws: `RemoteError.decoding`.
  public func decode<T: DecodableWithConfiguration>(
    _ type: T.Type = T.self,
    from body: [UInt8],
    configuration: T.DecodingConfiguration
  ) throws(RemoteError) -> T {
    try decode(from: body, as: typeName(T.self)) { try T(from: $0, configuration: configuration) }
  }

  /// Decodes a body by a function, for what is not known as a type.
  ///
  /// - Parameters:
  ///   - body: the bytes as they came.
  ///   - name: what errors call the whole.
  ///   - read: reads the value, and throws `UnexpectedValue` where that is not what it should be. It
  ///     is called again, on the same body, to explain an error that it or the decoder has thrown.
  /// - Returns: what the function returned.
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

  /// A body as text, in UTF-8.
  ///
  /// - Throws: `RemoteError.decoding`, with the first byte that is none.
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

  /// Says where and why decoding failed, by doing it once more with a decoder that keeps track.
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

/// Thrown by a function that reads a value by a decoder, where that value is not what it should be.
public struct UnexpectedValue: Error {
  /// Where the value stands.
  public let codingPath: [any CodingKey]
  /// The type that was expected there, or words for it.
  public let expected: String
  /// Whether the value itself is told, and not only of which kind it is: where the kind was right.
  public let tellsValue: Bool

  /// A value at this place is not what it should be.
  ///
  /// - Parameters:
  ///   - codingPath: where, as the decoder or container says.
  ///   - expected: the type or words for it, as in `Post`, `a list of numbers`.
  ///   - tellsValue: whether the value itself is told, and not only of which kind it is.
  public init(at codingPath: [any CodingKey], expected: String, tellsValue: Bool = false) {
    self.codingPath = codingPath
    self.expected = expected
    self.tellsValue = tellsValue
  }
}

extension JSONProblem {
  /// What a body is that should be JSON.
  fileprivate func inBody(_ body: [UInt8]) -> String {
    switch reason {
    case .empty: return "nothing"
    case .nestedTooDeep: return "more than \(JSONCursor.deepest) levels"
    case .notUTF8(let byte):
      return "no UTF-8: byte \(hexadecimal([byte])) at offset \(range.lowerBound)"
    default:
      let isCutOff = isCutOff(in: body)
      let offset = isCutOff ? body.count : range.lowerBound
      let (line, column) = Self.place(of: offset, in: body)
      return
        "\(isCutOff ? "JSON that is cut off at" : "no JSON from") line \(line), column \(column)"
    }
  }
}

/// Bytes as they are written in a dump: `7f 45 4c`.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
}

private struct ReadByFunction<T>: DecodableWithConfiguration {
  let value: T

  init(from decoder: any Decoder, configuration read: (any Decoder) throws -> T) throws {
    value = try read(decoder)
  }
}
