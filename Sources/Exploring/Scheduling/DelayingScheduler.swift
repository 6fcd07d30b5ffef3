import Staging

/// Replays a schedule whose last deviation takes a step early, and delays this step until a number of other steps have
/// run. Then it chooses as the default schedule.
final class DelayingScheduler: SearchScheduler {
  private let listed: [Int]
  private let delay: Int
  private var position = 0
  /// The step that is delayed, as long as it is.
  private var held: UInt64?
  private var left: Int
  /// The step of the last deviation; nil if the deviation is a value.
  private(set) var early: NotedStep?
  /// The latest step that ran instead of it.
  private(set) var overtaken: NotedStep?
  /// Whether the step ran after `delay` others.
  private(set) var hasDelayed: Bool

  /// - Parameters:
  ///   - schedule: deviates from the default schedule at its last decision.
  ///   - delay: the number of steps that come first.
  init(_ schedule: Schedule, delay: Int) {
    (listed, self.delay, left) = (schedule.choices, delay, delay)
    hasDelayed = delay == 0
    super.init()
    keepsTexts = true
  }

  override func decide(_ turn: Turn) -> Int {
    defer { position += 1 }
    if position < listed.count - 1 { return min(listed[position], turn.count - 1) }
    if position == listed.count - 1 {
      let choice = min(listed[position], turn.count - 1)
      early = noted(choice, turn)
      if delay == 0 { return choice }
      held = turn.id(choice)
    }
    guard let held, let place = (0..<turn.count).first(where: { turn.id($0) == held }) else {
      return 0
    }
    if left == 0 {
      self.held = nil
      hasDelayed = true
      return place
    }
    left -= 1
    let other = place == 0 ? 1 : 0
    overtaken = noted(other, turn)
    return other
  }

  override func decide(among count: Int) -> Int {
    defer { position += 1 }
    // A value as the last deviation is not taken.
    return position < listed.count - 1 ? min(listed[position], count - 1) : 0
  }
}
