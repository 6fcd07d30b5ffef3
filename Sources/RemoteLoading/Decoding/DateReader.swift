import RehearsalBase

import struct FoundationEssentials.Date

/// A parser of dates, field by field, that computes the seconds.
struct DateReader {
  private var rest: Substring.UTF8View
  private var fields: [DatePattern.Field: Int] = [:]
  private var fraction = 0.0
  /// The zone's offset east of UTC, in seconds.
  private var offset = 0

  init(_ text: String) {
    rest = text[...].utf8
  }

  mutating func read(_ part: DatePattern.Part) -> Bool {
    switch part {
    case .field(let field):
      guard let value = digits(field.width), field.range.contains(value) else { return false }
      fields[field] = value
      return true
    case .fraction(let count): return readFraction(count)
    case .optionalFraction:
      guard rest.first == UInt8(ascii: ".") else { return true }
      rest.removeFirst()
      return readFraction(min(9, rest.prefix(while: \.isDigit).count))
    case .zone: return readZone()
    case .literal(let bytes):
      guard rest.starts(with: bytes) else { return false }
      rest.removeFirst(bytes.count)
      return true
    }
  }

  /// The date, nil if text is left over or the day does not exist.
  var date: Date? {
    let (month, day) = (fields[.month] ?? 1, fields[.day] ?? 1)
    guard rest.isEmpty, let year = fields[.year], day <= Self.days(in: month, of: year) else {
      return nil
    }
    let minutes = (fields[.hour] ?? 0) * 60 + (fields[.minute] ?? 0)
    let days = Self.daysSince1970(year, month, day)
    let seconds = days * 86_400 + minutes * 60 + (fields[.second] ?? 0) - offset
    return Date(timeIntervalSince1970: Double(seconds) + fraction)
  }

  private mutating func digits(_ count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
    rest.removeFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private mutating func readFraction(_ count: Int) -> Bool {
    guard count > 0, let value = digits(count) else { return false }
    fraction = Double(value) / (0..<count).reduce(1.0) { power, _ in power * 10 }
    return true
  }

  private mutating func readZone() -> Bool {
    guard let sign = rest.popFirst() else { return false }
    if sign == UInt8(ascii: "Z") { return true }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hours = digits(2),
      rest.popFirst() == UInt8(ascii: ":"), let minutes = digits(2), hours < 24, minutes < 60
    else { return false }
    offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -60 : 60)
    return true
  }

  private static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    return switch month {
    case 2: isLeap ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the days in the Gregorian calendar, extended to earlier times. The computation begins
  /// the year in March, so that the leap day is last.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
