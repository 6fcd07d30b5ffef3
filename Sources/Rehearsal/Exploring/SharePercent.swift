/// Formats shares as percentages with two or three digits.
enum SharePercent {
  /// Returns the nearest percentage.
  static func rounded(_ share: Double) -> String {
    if share <= 0 { return "0 %" }
    return share < 0.000_05 ? "less than 0.01 %" : text(share, .toNearestOrEven)
  }

  /// Returns a percentage that is not smaller than the share.
  static func roundedUp(_ share: Double) -> String { text(share, .up) }

  private static func text(_ share: Double, _ rule: FloatingPointRoundingRule) -> String {
    let percent = share * 100
    let scale = percent >= 10 ? 1 : percent >= 1 ? 10 : 100
    let count = Int((percent * Double(scale)).rounded(rule))
    let (whole, rest) = count.quotientAndRemainder(dividingBy: scale)
    guard rest > 0 else { return "\(whole) %" }
    let digits = String(scale + rest).dropFirst()
    return "\(whole).\(digits.last == "0" ? digits.dropLast() : digits) %"
  }
}
