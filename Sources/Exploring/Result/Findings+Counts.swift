import RehearsalBase

/// A count of items that a report does not list, exact or estimated: the numbers of schedules and behaviours as text.
package struct UnlistedCount: Sendable, Codable {
  package var count = 0
  package var isEstimate = false

  package init(count: Int = 0, isEstimate: Bool = false) {
    (self.count, self.isEstimate) = (count, isEstimate)
  }

  static func += (one: inout UnlistedCount, other: UnlistedCount) {
    one.count += other.count
    one.isEstimate = one.isEstimate || other.isEstimate
  }
}

extension Findings {
  /// The number of distinct schedules. Beyond 98,304 it is an estimate.
  public var schedules: Int { max(hashes.count, unlistedSchedules.count) }

  /// Whether the number of distinct schedules is an estimate.
  package var areSchedulesEstimated: Bool { hashes.isEstimate || unlistedSchedules.isEstimate }

  /// The number of distinct schedules, as text.
  package var countedSchedules: String {
    Self.text("distinct schedule", schedules, isEstimate: areSchedulesEstimated)
  }

  /// The number of groups, including those that are not kept. If more than 98,304 are not kept, it is an estimate.
  public var behaviours: Int { groups.count + unkeptBehaviours }

  /// Whether the number of behaviours is an estimate.
  package var areBehavioursEstimated: Bool { others.isEstimate || unlistedBehaviours.isEstimate }

  /// The number of behaviours, as text.
  package var countedBehaviours: String {
    Self.text("behaviour", behaviours, isEstimate: areBehavioursEstimated)
  }

  private var unkeptBehaviours: Int { others.count + unlistedBehaviours.count }

  /// The number of behaviours that are not kept, as text; nil if all are kept.
  package var countedUnkeptBehaviours: String? {
    unkeptBehaviours == 0
      ? nil
      : Self.text("more behaviour", unkeptBehaviours, isEstimate: areBehavioursEstimated)
  }

  /// Returns a number and its unit. An estimate has three digits.
  private static func text(_ unit: String, _ count: Int, isEstimate: Bool) -> String {
    guard isEstimate else { return unit.counted(count) }
    var step = 1
    while count / step >= 1_000 { step *= 10 }
    return "about " + unit.counted((count + step / 2) / step * step)
  }
}
