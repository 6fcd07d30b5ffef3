import RehearsalBase

/// Reads and writes numbers of bytes, `10 kB`, and reads shares, `30%`.
extension Parser {
  /// Reads a number of bytes: `512`, `10 kB`, `1.5MB`. A kilobyte has 1,000 bytes, a KiB 1,024.
  package mutating func byteCount(
    _ what: String,
    in allowed: ClosedRange<Int> = 0...ByteCount.largest,
    example: String = "10 kB"
  ) throws(Diagnostic) -> Located<Int> {
    expect(.sample(what, example: example))
    guard let range = numberRange(), bytes[range.lowerBound].isDigit else {
      throw expected(what, hint: "write a number of bytes, as in '512' or '10 kB'")
    }
    let digitsEnd =
      bytes[range].firstIndex { !$0.isDigit && $0 != UInt8(ascii: ".") } ?? range.upperBound
    take(to: digitsEnd)
    let unit = try byteUnit(inWord: digitsEnd < range.upperBound)
    let span = range.lowerBound..<endOfTaken
    let number = bytes[range.lowerBound..<digitsEnd]
    guard let count = Self.scaled(number, by: Int64(unit)).map(Int.init), allowed.contains(count)
    else { throw outOfRange(span, allowed) }
    return Located(count, at: span)
  }

  /// Reads a share from 0 to 1: `30%`, `12.5%`.
  package mutating func share(
    _ what: String,
    example: String = "30%"
  ) throws(Diagnostic) -> Located<Double> {
    expect(.sample(what, example: example))
    guard let range = numberRange(), bytes[range.lowerBound].isDigit,
      let thousandths = Self.scaled(bytes[range], by: 1000)
    else { throw expected(what, hint: "write it in percent, as in '\(example)'") }
    take(to: range.upperBound)
    guard accept(byte: UInt8(ascii: "%")) else {
      throw expected("'%'", hint: "a share is written in percent, as in '\(example)'")
    }
    let span = range.lowerBound..<endOfTaken
    guard thousandths <= 100_000 else {
      throw Diagnostic(.numberOutOfRange(text(span), allowed: "a share from 0% to 100%"), at: span)
    }
    return Located(Double(thousandths) / 100_000, at: span)
  }

  /// Reads the unit of a number, in the same word or the next. Returns its bytes; 1 if there is
  /// none.
  private mutating func byteUnit(inWord isPart: Bool) throws(Diagnostic) -> Int {
    guard let range = wordRange() else { return 1 }
    let name = text(range)
    if let unit = ByteCount.unit(name) {
      take(to: range.upperBound)
      return unit
    }
    guard isPart || name.utf8.count <= 3 && name.last?.lowercased() == "b" else { return 1 }
    throw Diagnostic(
      .unknownUnit(name.printable(atMost: 30)),
      at: range,
      hint: "the units are B, kB, MB, GB, KiB and MiB"
    )
  }
}

/// Formats numbers of bytes as scripts write them.
package enum ByteCount {
  /// The maximum: a terabyte.
  package static let largest = 1_000_000_000_000

  /// Returns the bytes of a unit, by its name in any case.
  static func unit(_ name: String) -> Int? {
    switch name.lowercased() {
    case "b", "byte", "bytes": 1
    case "kb": 1000
    case "mb": 1_000_000
    case "gb": 1_000_000_000
    case "kib": 1024
    case "mib": 1_048_576
    default: nil
    }
  }

  /// Returns the shortest exact form: `512`, `10 kB`, `1 MB`.
  package static func text(_ count: Int) -> String {
    guard count > 0, count.isMultiple(of: 1000) else { return "\(count)" }
    return count.isMultiple(of: 1_000_000) ? "\(count / 1_000_000) MB" : "\(count / 1000) kB"
  }

  /// Returns the same, always with a unit: `512 bytes`, `10 kB`.
  static func textWithUnit(_ count: Int) -> String {
    let text = text(count)
    return text.last?.isLetter == true ? text : text + (count == 1 ? " byte" : " bytes")
  }
}
