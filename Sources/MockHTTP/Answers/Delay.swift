/// How long an answer takes before its first byte.
public enum Delay: Sendable, Hashable {
  /// Always this long; none where it is negative.
  case fixed(Duration)
  /// Anything between the two, equally likely, in whole milliseconds from the first. Both are included
  /// where they are whole milliseconds apart.
  case uniform(Duration, Duration)
  /// Many near the median and a long tail, as real servers have. `sigma` is the standard deviation of the
  /// logarithm: 0 for none, about 0.5 for a web server. In whole milliseconds, a day at most.
  case logNormal(median: Duration, sigma: Double)
}
