/// The time before the first byte of an answer.
public enum Delay: Sendable, Hashable {
  /// A constant delay; a negative one counts as zero.
  case fixed(Duration)
  /// A random delay between the two, uniformly distributed, in steps of a millisecond from the
  /// first. The second is included if the steps reach it.
  case uniform(Duration, Duration)
  /// A random delay with a long tail, as real servers have. `sigma` is the standard deviation of
  /// the logarithm: 0 for a constant delay, about 0.5 for a web server. In whole milliseconds, at
  /// most a day.
  case logNormal(median: Duration, sigma: Double)
}
