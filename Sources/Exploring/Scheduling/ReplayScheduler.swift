package import Staging

/// Replays a schedule, and always chooses the first step after its end.
package class ReplayScheduler: SearchScheduler {
  private let listed: [Int]
  private var position = 0
  /// The number of possible choices at each decision.
  private(set) var counts: [Int] = []
  private var misfit: Misfit?
  /// Counts the steps of the run, if it is not nil.
  var census: StepCensus.Taker?

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

  override package var wantsSteps: Bool { super.wantsSteps || census != nil }

  override package func willDo(_ choice: Int, _ turn: Turn) {
    super.willDo(choice, turn)
    census?.willDo(choice, turn)
  }

  /// Returns the first misfit since the last call; nil if there was none.
  package func takeMisfit() -> Misfit? {
    defer { misfit = nil }
    return misfit
  }

  /// A decision with fewer choices than the schedule requires.
  package struct Misfit: Equatable, Sendable {
    /// The number of the decision, counted from 1.
    package let decision: Int
    /// The choice of the schedule.
    package let choice: Int
    /// The number of possible choices; the last one was taken.
    package let count: Int
  }
}
