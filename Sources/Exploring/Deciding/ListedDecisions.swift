import Staging

/// As a schedule says, and beyond it the first.
package final class ListedDecisions: Decisions {
  private var listed: [Int]
  private var position = 0
  /// Of how many it was chosen, decision by decision.
  private(set) var counts: [Int] = []
  /// How the schedule does not fit what it is used for.
  package private(set) var misfit: Misfit?

  package init(_ schedule: Schedule) { listed = schedule.choices }

  /// Another schedule, for the next run.
  func restart(_ choices: [Int]) {
    listed = choices
    position = 0
    counts.removeAll(keepingCapacity: true)
    misfit = nil
    _ = begin()
  }

  override func decide(among count: Int) -> Int {
    defer { position += 1 }
    counts.append(count)
    guard position < listed.count else { return 0 }
    let choice = listed[position]
    if choice < count { return choice }
    misfit = misfit ?? .absent(decision: position + 1, choice: choice, of: count)
    return count - 1
  }

  /// What did not fit, at the end of a run.
  package var misfitAtEnd: Misfit? {
    misfit ?? (position < listed.count ? .unused(decision: position + 1) : nil)
  }

  /// How a schedule does not fit a run.
  package enum Misfit: Equatable, Sendable {
    /// There was less to choose from at a decision, counted from 1.
    case absent(decision: Int, choice: Int, of: Int)
    /// The run had ended before this decision.
    case unused(decision: Int)
  }
}
