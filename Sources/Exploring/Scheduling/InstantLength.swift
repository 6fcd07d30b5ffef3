import Staging

/// Counts the decisions at the present instant, to find out when strategies must stop preferring some steps.
///
/// A strategy that prefers some steps could delay another step forever while time stands still.
/// After many decisions at one instant, strategies therefore prefer none.
struct InstantLength {
  private static let long = 1_000

  private var nanoseconds: Int64 = -1
  private var decisions = 0

  /// Counts a decision.
  ///
  /// - Returns: whether this instant has too many decisions for preferences.
  mutating func isLong(with turn: Turn) -> Bool {
    if turn.nanoseconds != nanoseconds { (nanoseconds, decisions) = (turn.nanoseconds, 0) }
    decisions += 1
    return decisions > Self.long
  }
}
