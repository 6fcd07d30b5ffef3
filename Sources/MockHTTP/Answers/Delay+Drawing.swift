import Loading
import RehearsalBase

/// Draws the random delay of an answer, with the same result on every machine.
extension Delay {
  /// Returns a random delay, or one that `decider` chooses. A fixed delay needs neither.
  func draw(_ generator: inout SplitMix64, _ decider: AnswerDecider? = nil) -> Duration {
    switch self {
    case .fixed(let duration):
      return max(.zero, duration)
    case .uniform(let one, let other):
      let least = max(.zero, min(one, other))
      let span = max(0, (max(one, other) - least).wholeMilliseconds)
      let steps = generator.next().multipliedFullWidth(by: UInt64(span) + 1).high
      let drawn = least + .milliseconds(Int64(steps))
      return decider?.delay(least...max(least, one, other), drawn: drawn) ?? drawn
    case .logNormal(let median, let sigma):
      func delay(_ deviations: Double) -> Duration {
        let milliseconds = median.inMilliseconds * Exponential.of(sigma * deviations)
        return .milliseconds(Int64(min(max(0, milliseconds), Self.longest) + 0.5))
      }
      let drawn = delay(generator.nextNormal())
      guard let decider else { return drawn }
      if sigma != 0 { decider.leaveDelaysOut() }
      let ends = (delay(-Self.decidedDeviations), delay(Self.decidedDeviations))
      return decider.delay(min(ends.0, ends.1)...max(ends.0, ends.1), drawn: drawn)
    }
  }

  /// The range that a decider chooses from, in standard deviations: 19 of 20 random delays are in
  /// it.
  private static let decidedDeviations = 2.0

  /// One day, in milliseconds.
  private static let longest = 86_400_000.0
}

extension SplitMix64 {
  /// Returns a number in 0..<1.
  mutating func nextFraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns a standard normal number within six deviations: the sum of twelve uniform numbers. It
  /// uses only additions, so every machine gives the same result.
  mutating func nextNormal() -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + nextFraction() }
  }
}

extension Duration {
  fileprivate var inMilliseconds: Double {
    Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15
  }
}

/// The exponential function with basic operations only, which round the same on every machine. The
/// C library's functions do not.
enum Exponential {
  /// Returns e to the power, which is clamped to ±100.
  static func of(_ power: Double) -> Double {
    guard power == power else { return 1 }
    let power = min(max(power, -100), 100)
    let halvings = 10
    let small = power / Double(1 << halvings)
    return (0..<halvings).reduce(series(small)) { value, _ in value * value }
  }

  /// Returns the Taylor series, exact to the last one or two digits within ±0.1.
  private static func series(_ power: Double) -> Double {
    stride(from: 12.0, through: 1, by: -1).reduce(1) { sum, index in 1 + power / index * sum }
  }
}
