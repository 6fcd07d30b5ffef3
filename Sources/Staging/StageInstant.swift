/// A point in a run, measured from the moment the stage was made.
///
/// Virtual time moves only when the stage is driven, so two runs of one script visit the same
/// instants. Comparing instants from different stages means nothing.
public struct StageInstant: InstantProtocol, CustomStringConvertible {
  /// Nanoseconds since the start. Negative before it: a deadline minus a leeway may be.
  package let nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Makes the instant after a duration: whole nanoseconds, rounded up so that no sleep ends early.
  /// Clamped to 292 years.
  public init(elapsed: Duration) {
    nanoseconds = elapsed.nanosecondsRoundedUp
  }

  /// The start of every stage's time.
  public static let start = StageInstant(nanoseconds: 0)

  /// Time since the start.
  public var elapsed: Duration { .nanoseconds(nanoseconds) }

  /// Returns the instant after a duration, or before it if the duration is negative: whole
  /// nanoseconds, rounded up, clamped to 292 years from the start.
  public func advanced(by duration: Duration) -> StageInstant {
    StageInstant(nanoseconds: nanoseconds.saturatingAdding(duration.nanosecondsRoundedUp))
  }

  /// Returns the duration from this instant to another; negative if `other` is earlier.
  public func duration(to other: StageInstant) -> Duration {
    other.elapsed - elapsed
  }

  /// Returns whether the left instant is earlier.
  public static func < (left: StageInstant, right: StageInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The time since the start, in seconds: `1.25s`.
  public var description: String {
    let (seconds, fraction) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    let sign = nanoseconds < 0 ? "-" : ""
    guard fraction > 0 else { return "\(sign)\(seconds)s" }
    var digits = String(1_000_000_000 + fraction).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(seconds).\(digits)s"
  }
}
