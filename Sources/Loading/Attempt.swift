/// The number of one load or run within its slot: the first is #1.
///
/// Every answer carries the attempt it belongs to, so an answer from an attempt that was replaced
/// cannot be taken for the current one's.
public struct Attempt: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Counts from 1, never reused within a slot.
  public let number: Int

  /// An attempt by its number, such as one that a recording or a script names.
  @inlinable
  public init(number: Int) {
    self.number = number
  }

  /// Older before newer.
  @inlinable
  public static func < (left: Attempt, right: Attempt) -> Bool {
    left.number < right.number
  }

  /// The number as it is printed: `#3`.
  @inlinable
  public var description: String { "#\(number)" }
}
