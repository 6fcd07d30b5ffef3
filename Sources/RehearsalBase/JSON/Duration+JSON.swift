/// Writes a duration as an exact JSON number, and reads a JSON number of seconds.
extension Duration {
  /// The exact number of units as a decimal without exponent, such as `1.25`. The parameter defines the unit as a power of
  /// ten of attoseconds: 18 for seconds, 12 for microseconds.
  package func decimal(attosecondDigits decimals: Int) -> String {
    let unit = Self.powersOfTen[decimals]
    let (whole, rest) = attoseconds.magnitude.quotientAndRemainder(dividingBy: unit)
    let sign = attoseconds < 0 ? "-" : ""
    guard rest > 0 else { return sign + String(whole) }
    var digits = String(unit + rest).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return sign + String(whole) + "." + digits
  }

  /// Converts a JSON number of seconds, rounded towards zero to attoseconds; nil if it is negative or too large.
  package init?(jsonSeconds number: String) {
    let parts = number.lowercased().split(separator: "e", omittingEmptySubsequences: false)
    let numeral = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let fraction = numeral.count > 1 ? numeral[1] : ""
    guard let exponent = parts.count > 1 ? Int(parts[1]) : 0, (-100...100).contains(exponent),
      let digits = UInt128(numeral[0] + fraction.prefix(30))
    else { return nil }
    let shift = 18 + exponent - min(30, fraction.count)
    guard let attoseconds = Self.shifted(digits, by: shift), attoseconds <= Int128.max / 1000 else {
      return nil
    }
    self.init(attoseconds: Int128(attoseconds))
  }

  private static func shifted(_ digits: UInt128, by places: Int) -> UInt128? {
    guard digits > 0 else { return 0 }
    if places < 0 {
      return -places < powersOfTen.count ? digits / powersOfTen[-places] : 0
    }
    guard places < powersOfTen.count else { return nil }
    let (product, isTooLong) = digits.multipliedReportingOverflow(by: powersOfTen[places])
    return isTooLong ? nil : product
  }

  private static let powersOfTen: [UInt128] = (0..<38).reduce(into: [1]) { powers, _ in
    powers.append(powers[powers.count - 1] * 10)
  }
}
