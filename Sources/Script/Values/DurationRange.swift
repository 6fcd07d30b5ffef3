import RehearsalBase

/// How long something takes: always as long, or anything from a shorter to a longer duration.
package typealias DurationRange = ClosedRange<Duration>

extension DurationRange {
  /// Always as long.
  package init(_ duration: Duration) { self = duration...duration }

  /// Whether it leaves open how long.
  package var isOpen: Bool { lowerBound < upperBound }

  /// As a script says it: `100ms to 400ms`, or `1s`.
  package var text: String {
    isOpen ? "\(lowerBound.compact) to \(upperBound.compact)" : lowerBound.compact
  }
}

extension Parser {
  /// `D` or `D to D`.
  package mutating func durationRange() throws(Diagnostic) -> Located<DurationRange> {
    let least = try duration()
    return try rangeIfAny(from: least) ?? Located(DurationRange(least.value), at: least.span)
  }

  /// `to D` behind a duration; nil where it is not there.
  mutating func rangeIfAny(
    from least: Located<Duration>
  ) throws(Diagnostic) -> Located<DurationRange>? {
    expect(.keyword("to"))
    guard isNextUpperBound, accept("to") != nil else { return nil }
    return try range(from: least, to: try duration())
  }

  /// What lies between two durations.
  package func range(
    from least: Located<Duration>,
    to most: Located<Duration>
  ) throws(Diagnostic) -> Located<DurationRange> {
    let span = least.span.lowerBound..<most.span.upperBound
    guard least.value <= most.value else {
      throw Diagnostic(
        .runsBackwards(text(span)),
        at: span,
        hint: "write the shorter duration first"
      )
    }
    return Located(least.value...most.value, at: span)
  }

  /// Behind a duration `to` leads to a longer one; elsewhere it says where a redirect leads.
  private var isNextUpperBound: Bool {
    guard isNext("to") else { return false }
    var ahead = self
    ahead.take(to: position + 2)
    return ahead.isAtEnd || ahead.numberRange().map { bytes[$0.lowerBound].isDigit } ?? false
  }
}
