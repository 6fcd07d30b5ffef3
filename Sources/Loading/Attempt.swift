/// The number of one load or run within its slot: the first is #1.
///
/// Every answer carries its attempt, so an answer from a replaced attempt cannot be mistaken for
/// that of the current one.
public struct Attempt: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Counted from 1, never reused within a slot.
  public let number: Int

  /// Makes the attempt with this number, for example from a recording or a script.
  @inlinable
  public init(number: Int) {
    self.number = number
  }

  /// Returns whether the left attempt is older.
  @inlinable
  public static func < (left: Attempt, right: Attempt) -> Bool {
    left.number < right.number
  }

  /// The number as text: `#3`.
  @inlinable
  public var description: String { "#\(number)" }
}
