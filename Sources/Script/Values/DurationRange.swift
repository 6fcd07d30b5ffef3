import RehearsalBase

/// A duration, or a range of durations: reads `D to D`, and writes it.
package typealias DurationRange = ClosedRange<Duration>

extension DurationRange {
  /// A single duration.
  package init(_ duration: Duration) { self = duration...duration }

  /// Whether it has more than one duration.
  package var isOpen: Bool { lowerBound < upperBound }

  /// The text as in a script: `100ms to 400ms`, or `1s`.
  package var text: String {
    isOpen ? "\(lowerBound.compact) to \(upperBound.compact)" : lowerBound.compact
  }
}

extension Parser {
  /// Reads `D` or `D to D`.
  package mutating func durationRange() throws(Diagnostic) -> Located<DurationRange> {
    let least = try duration()
    return try rangeIfAny(from: least) ?? Located(DurationRange(least.value), at: least.span)
  }

  /// Reads `to D` after a duration; nil if it is not there.
  mutating func rangeIfAny(
    from least: Located<Duration>
  ) throws(Diagnostic) -> Located<DurationRange>? {
    expect(.keyword("to"))
    guard isNextUpperBound, accept("to") != nil else { return nil }
    return try range(from: least, to: try duration())
  }

  /// Returns the range between two durations.
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

  /// Whether `to` is followed by a duration. Otherwise it is the target of a redirect.
  private var isNextUpperBound: Bool {
    guard isNext("to") else { return false }
    var ahead = self
    ahead.take(to: position + 2)
    return ahead.isAtEnd || ahead.numberRange().map { bytes[$0.lowerBound].isDigit } ?? false
  }
}
