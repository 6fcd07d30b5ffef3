package import struct FoundationEssentials.Date

/// The format of dates in a body.
public enum DateFormat: Sendable, Hashable {
  /// A string with date, time and zone, with or without fractions of a second:
  /// `2019-11-22T08:30:00Z`.
  case iso8601
  /// A number, possibly with a fraction.
  case secondsSince1970
  /// A number, possibly with a fraction.
  case millisecondsSince1970
  /// A string with this pattern, in UTC unless it has a zone.
  case pattern(DatePattern)
}

extension DateFormat: CustomStringConvertible {
  /// The format in the description of an expected date: `iso8601`, `yyyy-MM-dd`.
  public var description: String {
    switch self {
    case .iso8601: "iso8601"
    case .secondsSince1970: "seconds since 1970"
    case .millisecondsSince1970: "milliseconds since 1970"
    case .pattern(let pattern): pattern.description
    }
  }
}

extension DateFormat {
  /// Decodes a date from a single value.
  ///
  /// - Throws: `DecodingError`.
  package func date(from decoder: any Decoder) throws -> Date {
    let container = try decoder.singleValueContainer()
    switch self {
    case .secondsSince1970: return Date(timeIntervalSince1970: try container.decode(Double.self))
    case .millisecondsSince1970:
      return Date(timeIntervalSince1970: try container.decode(Double.self) / 1000)
    case .iso8601: return try Self.date(from: container, by: .iso8601)
    case .pattern(let pattern): return try Self.date(from: container, by: pattern)
    }
  }

  private static func date(
    from container: any SingleValueDecodingContainer,
    by pattern: DatePattern
  ) throws -> Date {
    if let date = pattern.date(try container.decode(String.self)) { return date }
    throw DecodingError.dataCorruptedError(
      in: container,
      debugDescription: "Cannot initialize Date from invalid text"
    )
  }
}
