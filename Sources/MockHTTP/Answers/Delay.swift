/// How long an answer takes before its first byte.
public enum Delay: Sendable, Hashable {
  case fixed(Duration)
  /// Anything between the two, both included, equally likely, in whole milliseconds.
  case uniform(Duration, Duration)
  /// Many near the median and a long tail, as real servers have. `sigma` is the standard deviation of the
  /// logarithm: 0 for none, about 0.5 for a web server.
  case logNormal(median: Duration, sigma: Double)
}
