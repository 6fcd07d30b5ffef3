package import Exploring

/// A strategy by its name, as somebody types it.
package enum StrategyName: String, CaseIterable, Sendable {
  case random, priorities, mixed, exhaustive

  /// - Parameter changes: how often priorities change in a run, where there are any.
  /// - Returns: the strategy.
  package func strategy(changes: Int = 3) -> Strategy {
    switch self {
    case .random: .random
    case .priorities: .priorities(changes: changes)
    case .mixed: .mixed(changes: changes)
    case .exhaustive: .exhaustive
    }
  }
}
