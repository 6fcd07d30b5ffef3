/// Formats a duration as text, `0.000s` or `250ms`, and rounds it to milliseconds.
extension Duration {
  /// Seconds with at least three decimals, and more if needed for an exact value: `0.000s`, `1.2345s`.
  ///
  /// Callers align it at the right in columns.
  package var fixed: String {
    if let text = textOfMilliseconds { return text }
    return sign + Self.decimal(magnitude, per: Self.second, leastDecimals: 3) + "s"
  }

  /// The shortest exact form that the command language can parse: `250ms`, `1.5s`, `2s`, `1m`, `1h`.
  package var compact: String {
    if let text = compactTextOfMilliseconds { return text }
    let whole = magnitude
    if whole == 0 {
      return "0s"
    }
    if whole.isMultiple(of: 3600 * Self.second) {
      return sign + "\(whole / (3600 * Self.second))h"
    }
    if whole.isMultiple(of: 60 * Self.second) {
      return sign + "\(whole / (60 * Self.second))m"
    }
    return whole < Self.second
      ? sign + Self.decimal(whole, per: Self.second / 1000, leastDecimals: 0) + "ms"
      : sign + Self.decimal(whole, per: Self.second, leastDecimals: 0) + "s"
  }

  /// `fixed` if three decimals are exact, which is the usual case.
  private var textOfMilliseconds: String? {
    // `components` traps if the seconds do not fit.
    guard self >= .zero, self < .seconds(Int32.max) else { return nil }
    let (seconds, attoseconds) = components
    let (milliseconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
    guard rest == 0 else { return nil }
    return Self.text(seconds: Int(seconds), milliseconds: Int(milliseconds))
  }

  /// `compact` for a whole number of milliseconds, which is the usual case.
  private var compactTextOfMilliseconds: String? {
    guard self > .zero, self < .seconds(Int32.max) else { return nil }
    let (seconds, attoseconds) = components
    let (milliseconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
    guard rest == 0 else { return nil }
    if milliseconds == 0 {
      if seconds.isMultiple(of: 3600) { return "\(seconds / 3600)h" }
      return seconds.isMultiple(of: 60) ? "\(seconds / 60)m" : "\(seconds)s"
    }
    if seconds == 0 { return "\(milliseconds)ms" }
    var (decimals, count) = (milliseconds, 3)
    while decimals.isMultiple(of: 10) {
      decimals /= 10
      count -= 1
    }
    let zeros = count - (decimals < 10 ? 1 : decimals < 100 ? 2 : 3)
    return "\(seconds).\(zeros == 0 ? "" : zeros == 1 ? "0" : "00")\(decimals)s"
  }

  /// Formats `2.050s` from its end. Fast, because every printed line of a session has a time.
  private static func text(seconds: Int, milliseconds: Int) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { buffer in
      var place = buffer.count - 1
      buffer[place] = UInt8(ascii: "s")
      func write(_ number: Int, leastDigits: Int) {
        var rest = number
        var digits = 0
        repeat {
          place -= 1
          buffer[place] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
          digits += 1
        } while rest > 0 || digits < leastDigits
      }
      write(milliseconds, leastDigits: 3)
      place -= 1
      buffer[place] = UInt8(ascii: ".")
      write(seconds, leastDigits: 1)
      return String(decoding: UnsafeBufferPointer(rebasing: buffer[place...]), as: UTF8.self)
    }
  }

  /// Attoseconds in a second.
  private static var second: UInt128 { 1_000_000_000_000_000_000 }

  private var sign: String { attoseconds < 0 ? "-" : "" }

  private var magnitude: UInt128 { attoseconds.magnitude }

  /// Formats `amount / unit` exactly; `unit` is a power of ten.
  private static func decimal(_ amount: UInt128, per unit: UInt128, leastDecimals: Int) -> String {
    let (whole, rest) = amount.quotientAndRemainder(dividingBy: unit)
    var decimals = String(String(unit + rest).dropFirst())
    while decimals.count > leastDecimals, decimals.last == "0" {
      decimals.removeLast()
    }
    return decimals.isEmpty ? "\(whole)" : "\(whole).\(decimals)"
  }
}

extension Duration {
  /// The number of whole milliseconds, rounded towards zero and clamped to the range of `Int`.
  package var wholeMilliseconds: Int { Int(clamping: attoseconds / 1_000_000_000_000_000) }

  /// The number of milliseconds, rounded up, for system calls that must not return too early.
  package var millisecondsRoundedUp: Int {
    Int(clamping: (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
