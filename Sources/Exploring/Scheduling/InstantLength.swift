import Staging

/// Counts the decisions between steps at the present instant.
///
/// A strategy that prefers some steps to others may keep one waiting for ever, while time stands still. So it prefers
/// none after this many.
struct InstantLength {
  private static let long = 1_000

  private var nanoseconds: Int64 = -1
  private var decisions = 0

  /// Counts a decision.
  ///
  /// - Returns: whether there were so many at this instant that no step may be preferred.
  mutating func isLong(with turn: Turn) -> Bool {
    if turn.nanoseconds != nanoseconds { (nanoseconds, decisions) = (turn.nanoseconds, 0) }
    decisions += 1
    return decisions > Self.long
  }
}
