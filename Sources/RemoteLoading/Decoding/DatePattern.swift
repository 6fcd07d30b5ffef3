public import struct FoundationEssentials.Date

/// A pattern of a date, field by field: `yyyy-MM-dd`, `yyyy-MM-dd'T'HH:mm:ss.SSSXXX`.
///
/// Parsing is strict: every digit must be in its place, the day must exist, and no text may be left
/// over. Times are UTC unless the pattern has a zone. Missing fields are the beginning of their
/// year, month or day.
public struct DatePattern: Sendable, Hashable, CustomStringConvertible {
  /// The pattern's source text.
  public let description: String
  let parts: [Part]

  enum Part: Sendable, Hashable {
    case field(Field)
    /// This number of decimals of a second.
    case fraction(Int)
    /// Optional decimals of a second, with their point.
    case optionalFraction
    /// `Z`, `+01:00`.
    case zone
    case literal([UInt8])
  }

  enum Field: Character, Sendable, Hashable, CaseIterable {
    case year = "y"
    case month = "M"
    case day = "d"
    case hour = "H"
    case minute = "m"
    case second = "s"

    var width: Int { self == .year ? 4 : 2 }
    var letters: String { String(repeating: rawValue, count: width) }

    var range: ClosedRange<Int> {
      switch self {
      case .year: 1...9999
      case .month: 1...12
      case .day: 1...31
      case .hour: 0...23
      case .minute, .second: 0...59
      }
    }
  }

  /// A mistake in a pattern with a suggestion, both in lower case without a full stop.
  public struct Problem: Error, Hashable, CustomStringConvertible {
    /// The mistake.
    public let message: String
    /// The suggestion.
    public let hint: String

    /// The message and the hint, separated by a semicolon.
    public var description: String { "\(message); \(hint)" }
  }

  /// Date, time, optional decimals of a second, and zone: `2019-11-22T08:30:00Z`.
  static let iso8601 = DatePattern(
    description: "iso8601",
    parts: [
      .field(.year), .literal([0x2d]), .field(.month), .literal([0x2d]), .field(.day),
      .literal([0x54]), .field(.hour), .literal([0x3a]), .field(.minute), .literal([0x3a]),
      .field(.second), .optionalFraction, .zone,
    ]
  )

  /// Parses a pattern.
  ///
  /// `yyyy` is the year, `MM` the month, `dd` the day, `HH` the hour from 0 to 23, `mm` the minute,
  /// `ss` the second, `S` to `SSSSSSSSS` its decimals, `XXX` the zone. Other letters must be in
  /// single quotes; two single quotes are one.
  ///
  /// - Throws: `Problem` if a field is unknown, repeated or missing, or a quote is not closed.
  public init(_ text: String) throws(Problem) {
    var reader = DatePatternReader(text)
    self.init(description: text, parts: try reader.parts())
  }

  private init(description: String, parts: [Part]) {
    self.description = description
    self.parts = parts
  }
}

extension DatePattern {
  /// Returns the date in the text, nil if the text does not match.
  public func date(_ text: String) -> Date? {
    var reader = DateReader(text)
    guard parts.allSatisfy({ reader.read($0) }) else { return nil }
    return reader.date
  }
}
