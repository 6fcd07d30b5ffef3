/// A way to choose schedules: `random`, `pct` and the others, with their parameters.
public enum Strategy: Sendable, Hashable, Codable {
  /// Every choice is random and uniform.
  case random
  /// Tasks have random priorities, and the highest ready task runs. At a few scheduling points, the
  /// highest task gets the lowest priority. Finds bugs that need a certain order in a few places more often
  /// than `random`.
  ///
  /// The algorithm is PCT, of Burckhardt, Kothari, Musuvathi and Nagarakatte, "A Randomized Scheduler with
  /// Probabilistic Guarantees of Finding Bugs" (2010).
  case pct(changes: Int)
  /// Each possible job has a random priority, and the highest one runs. Then the other jobs on the same actor or queue
  /// get new priorities. Orders of independent jobs do not bias the result.
  ///
  /// The algorithm is POS, of Yuan, Yang and Gu, "Partial Order Aware Concurrency Sampling" (2018).
  case pos
  /// Each order of all jobs is about equally probable: a task with more jobs left is chosen more often. The numbers of
  /// jobs are those of the default schedule.
  ///
  /// The algorithm is URW, of Zhao, Wolff, Mathur and Roychoudhury, "Selectively Uniform Concurrency Testing" (2025).
  case urw
  /// As `urw`, but each run counts only the jobs on one actor or queue, which it draws.
  ///
  /// The algorithm is SURW, of the same source.
  case surw
  /// The other random strategies in turn: each finds bugs that the others rarely find. The number of priority changes of
  /// a run is drawn too, up to `changes`.
  case mixed(changes: Int)
  /// All orders of suspension points and executor hops, systematically. Jobs that are assumed
  /// independent are not reordered: waking up, and nonisolated code up to its next hop or sleep.
  /// The assumption is that tasks share state only through actors; `Findings.assumesIsolation`
  /// tells whether it left out any order.
  case exhaustive
}

extension Strategy {
  /// The number of strategies that successive runs use in turn.
  var countInTurn: Int {
    switch self {
    case .random, .pct, .pos, .urw, .surw, .exhaustive: 1
    case .mixed: Self.countOfMixed
    }
  }

  /// Whether its runs depend on the number of scheduling points that a run is expected to have.
  var usesLength: Bool {
    switch self {
    case .pct, .mixed: true
    case .random, .pos, .urw, .surw, .exhaustive: false
    }
  }

  private static let countOfMixed = 4

  /// Returns the schedulers of a search. Successive seeds use them in turn.
  func schedulers(_ forecast: RunForecast) -> [SearchScheduler] {
    switch self {
    case .random: [RandomScheduler()]
    case .pct(let changes): [PCTScheduler(changes: changes...changes, length: forecast.length)]
    case .pos: [POSScheduler()]
    case .urw: [UniformWalkScheduler(forecast.census, isSelective: false)]
    case .surw: [UniformWalkScheduler(forecast.census, isSelective: true)]
    case .mixed(let changes):
      [
        RandomScheduler(), PCTScheduler(changes: 0...changes, length: forecast.length),
        POSScheduler(), UniformWalkScheduler(forecast.census, isSelective: false),
      ]
    case .exhaustive: [ExhaustiveScheduler()]
    }
  }
}
