package import Exploring

/// A scheduling strategy by its name.
package enum StrategyName: String, CaseIterable, Sendable {
  case random, pct, pos, urw, surw, mixed, exhaustive

  /// Makes the strategy with this name.
  ///
  /// - Parameter changes: the number of priority changes in a run of `pct`, and the largest one in a run of `mixed`.
  /// - Returns: the strategy.
  package func strategy(changes: Int = 3) -> Strategy {
    switch self {
    case .random: .random
    case .pct: .pct(changes: changes)
    case .pos: .pos
    case .urw: .urw
    case .surw: .surw
    case .mixed: .mixed(changes: changes)
    case .exhaustive: .exhaustive
    }
  }
}
