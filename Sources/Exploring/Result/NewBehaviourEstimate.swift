/// An estimate of the probability that one more random run shows a new behaviour.
///
/// It is about the runs of the strategies `random`, `pct` and `mixed`. Systematic runs before them only make behaviours
/// known. For `mixed`, it is the mean over its strategies.
public struct NewBehaviourEstimate: Sendable, Equatable, Codable {
  /// The Good–Turing estimate, from 0 to 1: the number of behaviours that exactly one run showed, a random one, divided
  /// by the number of random runs.
  ///
  /// I. J. Good, "The Population Frequencies of Species and the Estimation of Population Parameters" (1953).
  public let probability: Double
  /// An upper bound of the true probability, from 0 to 1. With a probability of at least 95 %, the true probability is
  /// within the bound after each run of a search. So a search may end as soon as the bound is small.
  public let upperBound: Double

  package init(probability: Double, upperBound: Double) {
    self.probability = probability
    self.upperBound = upperBound
  }

  /// The probability that the bound is too small at some moment of a search.
  static let risk = 0.05

  /// Returns the upper bound.
  ///
  /// Let `M` be the true probability after `runs` random runs. It only falls while behaviours become known. So each
  /// earlier run showed a new behaviour with a probability `m` of at least `M`. For each `t` from 0 to 1, a run
  /// multiplies `(1 - t)^news * exp(t * sum of m)` by a factor with a mean of `(1 - t * m) * exp(t * m)`, which is at
  /// most 1. So this product is a supermartingale, and so is its mean over all `t`. By Ville's inequality, it ever
  /// exceeds `1 / risk` with a probability of at most `risk`. Otherwise the sum of `m` is at most `largestSum`, and so is
  /// `M` times the number of runs. (H. Robbins, "Statistical Methods Related to the Law of the Iterated Logarithm",
  /// 1970.)
  ///
  /// Early runs show most behaviours. So the same bound begins also after 64, 128, 256 … runs, each with its part of
  /// the risk, and the smallest one counts. The bound of McAllester and Schapire ("On the Convergence Rate of
  /// Good-Turing Estimators", 2000) is `probability + (1 + √2) * √(ln(2 / risk) / runs)`. It needs about 200,000 runs
  /// for 1 %, and holds only for a number of runs that is chosen in advance.
  ///
  /// - Parameters:
  ///   - news: the numbers of the random runs that showed a new behaviour, from 0, ascending.
  ///   - unplaced: the number of further new behaviours, whose runs are unknown.
  ///   - runs: the number of random runs.
  ///   - strategies: the number of strategies that successive runs use in turn.
  /// - Returns: the bound, from 0 to 1.
  static func upperBound(
    _ news: some RandomAccessCollection<Int>,
    unplaced: Int,
    runs: Int,
    strategies: Int
  ) -> Double {
    var bound = 1.0
    var (start, number) = (0, 1.0)
    while start < runs {
      // Only whole turns have the mean over the strategies.
      let counted = (runs - start) / strategies * strategies
      if counted == 0 { break }
      let later = news.reversed().prefix { $0 >= start }.count + unplaced
      let risk = risk / (number * (number + 1))
      bound = min(bound, largestSum(news: later, risk: risk) / Double(counted))
      start = start == 0 ? 64 : start * 2
      number += 1
    }
    return bound
  }

  /// Returns the sum at which the mean over all `t` from 0 to 1 of `(1 - t)^news * exp(t * sum)` reaches `1 / risk`.
  static func largestSum(news: Int, risk: Double) -> Double {
    var (low, high) = (Double(news), Double(news) + 8)
    while !isReached(1 / risk, news: news, sum: high) { (low, high) = (high, high * 2) }
    while high - low > high * 1e-9 {
      let middle = (low + high) / 2
      if isReached(1 / risk, news: news, sum: middle) { high = middle } else { low = middle }
    }
    return high
  }

  /// Returns whether the mean is at least `limit`. It is the series of
  /// `sum^k / ((news + 1) * … * (news + 1 + k))`.
  private static func isReached(_ limit: Double, news: Int, sum: Double) -> Bool {
    var term = 1 / Double(news + 1)
    var total = term
    var divisor = Double(news + 1)
    while total < limit {
      divisor += 1
      term *= sum / divisor
      total += term
      if divisor > sum, term < total * 1e-15 { return false }
    }
    return true
  }
}
