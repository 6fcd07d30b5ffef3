/// The number of tries, and the delays between them.
public struct RetryPolicy: Sendable, Hashable {
  /// Maximum number of tries, including the first. At least 1.
  public let tries: Int
  /// The delay before each further try, without jitter.
  public let backoff: Backoff
  /// The random part of each delay in percent, from 0 to 100: with 25, a delay of 8 s becomes a
  /// delay from 6 s to 8 s.
  public let jitterInPercent: Int

  /// The delay before the next try.
  public enum Backoff: Sendable, Hashable {
    /// The next try follows at once.
    case none
    /// The same delay each time.
    case constant(Duration)
    /// `initial` after the first failed try, multiplied by `factor` after each further one, up to
    /// `cap`; without a cap, up to a century.
    case exponential(initial: Duration, factor: Int = 2, cap: Duration? = nil)
  }

  /// Makes a policy with this maximum number of tries, including the first.
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

  /// Returns the possible delays after a failed try; tries count from 1. Jitter only shortens
  /// delays.
  public func delays(afterFailedTry number: Int) -> ClosedRange<Duration> {
    let full = backoff.delay(afterFailedTry: number)
    return (full - full / 1000 * (jitterInPercent * 10))...full
  }

  /// Returns one of the possible delays after a failed try; tries count from 1.
  ///
  /// Draws one number from the generator, and only if there is jitter.
  public func delay(
    afterFailedTry number: Int,
    using generator: inout some RandomNumberGenerator
  ) -> Duration {
    let full = backoff.delay(afterFailedTry: number)
    guard jitterInPercent > 0, full > .zero else { return full }
    // In thousandths of the delay, for integer arithmetic.
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
      // A century is longer than any real delay, and far from overflow.
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
