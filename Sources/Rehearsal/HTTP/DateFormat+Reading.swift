import RehearsalBase
import RemoteLoading
import Script

/// Checks the date format of a shape's field, and reads dates of this format from a body.
extension ValueType.DateFormat {
  /// Returns the same format for reading dates, if it can be used for that.
  func checked(at span: Range<Int>) throws(Diagnostic) -> Self {
    do throws(DatePattern.Problem) {
      _ = try remote()
      return self
    } catch {
      throw Diagnostic(.malformedDateFormat(error.message), at: span, hint: error.hint)
    }
  }

  /// Reads the date of a body and returns it as written.
  ///
  /// - Throws: `UnexpectedValue` if the date does not have this format; `DecodingError`.
  func value(from decoder: any Decoder) throws -> JSONValue {
    let container = try decoder.singleValueContainer()
    guard (try? remote().date(from: decoder)) != nil else {
      throw UnexpectedValue(
        at: decoder.codingPath,
        expected: "Date (\(words))",
        tellsValue: (try? container.decode(String.self)) != nil
      )
    }
    if let text = try? container.decode(String.self) { return .string(text) }
    if let whole = try? container.decode(Int.self) { return .number("\(whole)") }
    return .number("\(try container.decode(Double.self))")
  }

  private func remote() throws(DatePattern.Problem) -> DateFormat {
    switch self {
    case .iso8601: .iso8601
    case .seconds: .secondsSince1970
    case .milliseconds: .millisecondsSince1970
    case .pattern(let pattern): .pattern(try DatePattern(pattern))
    }
  }
}
