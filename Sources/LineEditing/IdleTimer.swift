/// The time of the prompt's next `idle` call, in real time.
struct IdleTimer {
  private var deadline: ContinuousClock.Instant?

  /// Makes the timer due at once, or never.
  mutating func start(isWanted: Bool) { deadline = isWanted ? .now : nil }

  /// Makes the timer due after a delay, or never.
  mutating func set(_ delay: Duration?) {
    deadline = delay.map { .now + max(.zero, $0) }
  }

  var isDue: Bool { deadline.map { $0 <= .now } ?? false }

  /// The time to wait, rounded up, in the form of `poll`: -1 for ever.
  var millisecondsLeft: Int32 {
    guard let deadline else { return -1 }
    let left = max(.zero, ContinuousClock.now.duration(to: deadline))
    let wait = min(left, .seconds(3600)) + .microseconds(999)
    return Int32(
      wait.components.seconds * 1000 + wait.components.attoseconds / 1_000_000_000_000_000
    )
  }
}
