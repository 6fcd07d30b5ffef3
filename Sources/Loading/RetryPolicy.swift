/// How often to try, and how long to wait in between.
public struct RetryPolicy: Sendable, Hashable {
  /// How many times the block runs at most, the first time included. At least 1.
  public let tries: Int
  /// How long to wait before each further try, jitter apart.
  public let backoff: Backoff
  /// How much of each delay is left to chance, from 0 to 100: with 25, a delay of 8 s becomes
  /// something from 6 s to 8 s.
  public let jitterInPercent: Int

  /// The delay before the next try.
  public enum Backoff: Sendable, Hashable {
    /// The next try follows at once.
    case none
    /// The same delay each time.
    case constant(Duration)
    /// `initial` after the first failed try, `factor` times as much after each further one, but
    /// never more than `cap`; without a cap, never more than a century.
    case exponential(initial: Duration, factor: Int = 2, cap: Duration? = nil)
  }

  /// Tries as often as this in all, the first time included.
  ///
  /// - Precondition: at least one try, no negative delay, a factor of at least 1, a jitter from 0
  ///   to 100 percent.
  public init(tries: Int, backoff: Backoff = .none, jitterInPercent: Int = 0) {
    precondition(tries >= 1, "A retry policy has at least one try.")
    precondition((0...100).contains(jitterInPercent), "Jitter is from 0 to 100 percent.")
    precondition(backoff.isSound, "A delay between tries is not negative, nor is its factor.")
    self.tries = tries
    self.backoff = backoff
    self.jitterInPercent = jitterInPercent
  }

  /// The delays that may follow a try that failed, by its number from 1. Jitter only shortens them.
  public func delays(afterFailedTry number: Int) -> ClosedRange<Duration> {
    let full = backoff.delay(afterFailedTry: number)
    return (full - full / 1000 * (jitterInPercent * 10))...full
  }

  /// One of the delays that may follow a try that failed, by its number from 1.
  ///
  /// The generator is asked once, and only if there is jitter.
  public func delay(
    afterFailedTry number: Int,
    using generator: inout some RandomNumberGenerator
  ) -> Duration {
    let full = backoff.delay(afterFailedTry: number)
    guard jitterInPercent > 0, full > .zero else { return full }
    // In thousandths of the delay, so that the arithmetic stays in integers.
    let lost = Int.random(in: 0...(jitterInPercent * 10), using: &generator)
    return full - full / 1000 * lost
  }
}

extension RetryPolicy.Backoff {
  fileprivate var isSound: Bool {
    switch self {
    case .none: true
    case .constant(let delay): delay >= .zero
    case .exponential(let initial, let factor, let cap):
      initial >= .zero && factor >= 1 && cap ?? .zero >= .zero
    }
  }

  fileprivate func delay(afterFailedTry number: Int) -> Duration {
    switch self {
    case .none: return .zero
    case .constant(let delay): return delay
    case .exponential(let initial, let factor, let cap):
      // A century is more than anybody waits, and far from overflow.
      let most = cap ?? .seconds(3_155_760_000)
      var delay = min(initial, most)
      for _ in 1..<max(number, 1) {
        guard delay > .zero, delay < most, factor > 1 else { return delay }
        delay = delay > most / factor ? most : delay * factor
      }
      return delay
    }
  }
}
