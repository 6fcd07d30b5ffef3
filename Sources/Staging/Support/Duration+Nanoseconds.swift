/// Rounds durations up to nanoseconds, and adds without overflow.
extension Duration {
  /// Whole nanoseconds, rounded up and clamped to `Int64`.
  package var nanosecondsRoundedUp: Int64 {
    let exact = attoseconds
    if let small = Int64(exactly: exact) {
      let (quotient, remainder) = small.quotientAndRemainder(dividingBy: 1_000_000_000)
      return remainder > 0 ? quotient + 1 : quotient
    }
    let (quotient, remainder) = exact.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Int64(clamping: remainder > 0 ? quotient + 1 : quotient)
  }
}

extension Int64 {
  package func saturatingAdding(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    guard overflow else { return sum }
    return other > 0 ? .max : .min
  }
}
