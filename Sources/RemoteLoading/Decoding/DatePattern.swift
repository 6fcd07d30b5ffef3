public import struct FoundationEssentials.Date

/// How a date is written, field by field: `yyyy-MM-dd`, `yyyy-MM-dd'T'HH:mm:ss.SSSXXX`.
///
/// It reads strictly: every digit in its place, no day that the calendar does not have, nothing left
/// over. Times are UTC unless a zone is part of the pattern; what the pattern leaves out is the
/// beginning of its year, month or day.
public struct DatePattern: Sendable, Hashable, CustomStringConvertible {
  /// As it was written.
  public let description: String
  let parts: [Part]

  enum Part: Sendable, Hashable {
    case field(Field)
    /// So many digits of a second.
    case fraction(Int)
    /// Digits of a second that may be missing, with their point.
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

  /// What is wrong with a pattern, and what to do about it; both lower case, without a stop.
  public struct Problem: Error, Hashable, CustomStringConvertible {
    /// What is wrong.
    public let message: String
    /// What to do about it.
    public let hint: String

    /// Message and hint, with a semicolon between.
    public var description: String { "\(message); \(hint)" }
  }

  /// Date and time with an optional fraction of a second and a zone: `2019-11-22T08:30:00Z`.
  static let iso8601 = DatePattern(
    description: "iso8601",
    parts: [
      .field(.year), .literal([0x2d]), .field(.month), .literal([0x2d]), .field(.day),
      .literal([0x54]), .field(.hour), .literal([0x3a]), .field(.minute), .literal([0x3a]),
      .field(.second), .optionalFraction, .zone,
    ]
  )

  /// Reads a pattern.
  ///
  /// `yyyy` is the year, `MM` the month, `dd` the day, `HH` the hour from 0 to 23, `mm` the minute,
  /// `ss` the second, `S` to `SSSSSSSSS` its digits, `XXX` the zone. Other letters stand in single
  /// quotes, and two of these are one.
  ///
  /// - Throws: `Problem` where a field is unknown, repeated or missing, or a quote is not closed.
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
  /// The date that the text says; nil where it is not written like this.
  public func date(_ text: String) -> Date? {
    var reader = DateReader(text)
    guard parts.allSatisfy({ reader.read($0) }) else { return nil }
    return reader.date
  }
}
