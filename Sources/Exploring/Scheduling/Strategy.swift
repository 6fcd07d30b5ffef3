/// A way to choose schedules.
public enum Strategy: Sendable, Hashable, Codable {
  /// Every decision is random and uniform.
  case random
  /// Tasks have random priorities, and the highest ready task runs. At a few decisions, the highest
  /// task gets the lowest priority. Finds bugs that need a certain order in a few places more often
  /// than `random`.
  ///
  /// The algorithm is PCT, of Burckhardt, Kothari, Musuvathi and Nagarakatte, "A Randomized Scheduler with
  /// Probabilistic Guarantees of Finding Bugs" (2010).
  case pct(changes: Int)
  /// `random` and `pct` in turn: each finds bugs that the other rarely finds.
  case mixed(changes: Int)
  /// All orders of suspension points and executor hops, systematically. Steps that are assumed
  /// independent are not reordered: waking up, and nonisolated code up to its next hop or sleep.
  /// The assumption is that tasks share state only through actors; `Findings.assumesIsolation`
  /// tells whether it left out any order.
  case exhaustive
}

extension Strategy {
  /// The number of strategies that successive runs use in turn.
  var countInTurn: Int {
    switch self {
    case .random, .pct, .exhaustive: 1
    case .mixed: 2
    }
  }

  /// Returns the schedulers of a search. Successive seeds use them in turn.
  func schedulers(length: Int) -> [SearchScheduler] {
    switch self {
    case .random: [RandomScheduler()]
    case .pct(let changes): [PCTScheduler(changes: changes, length: length)]
    case .mixed(let changes):
      [RandomScheduler(), PCTScheduler(changes: changes, length: length)]
    case .exhaustive: [ExhaustiveScheduler()]
    }
  }
}
