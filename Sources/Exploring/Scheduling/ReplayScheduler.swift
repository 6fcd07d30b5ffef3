import Staging

/// Replays a schedule, and after its end picks the first step.
package final class ReplayScheduler: SearchScheduler {
  private let listed: [Int]
  private var position = 0
  /// Of how many it was chosen, decision by decision.
  private(set) var counts: [Int] = []
  private var misfit: Misfit?

  package init(_ schedule: Schedule) { listed = schedule.choices }

  override func decide(among count: Int) -> Int {
    defer { position += 1 }
    counts.append(count)
    guard position < listed.count else { return 0 }
    let choice = listed[position]
    if choice < count { return choice }
    misfit = misfit ?? Misfit(decision: position + 1, choice: choice, count: count)
    return count - 1
  }

  /// What did not fit, if anything did not since this was last asked.
  package func takeMisfit() -> Misfit? {
    defer { misfit = nil }
    return misfit
  }

  /// A decision that had less to choose from than the schedule says.
  package struct Misfit: Equatable, Sendable {
    /// Which one, counted from 1.
    package let decision: Int
    /// What the schedule chooses.
    package let choice: Int
    /// How many there were; the last one was taken.
    package let count: Int
  }
}
