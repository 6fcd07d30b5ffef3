/// How schedules are chosen.
public enum Strategy: Sendable, Hashable, Codable {
  /// Every decision by chance, each of what is possible as likely as any other.
  case random
  /// Tasks have priorities, drawn by chance, and the highest that is ready goes first, but for a few moments
  /// at which it falls behind all others. Finds what takes a certain order in few places more often than chance.
  ///
  /// The algorithm is PCT, of Burckhardt, Kothari, Musuvathi and Nagarakatte, "A Randomized Scheduler with
  /// Probabilistic Guarantees of Finding Bugs" (2010).
  case pct(changes: Int)
  /// By chance and by priorities in turn: the ones find what the others hardly ever meet.
  case mixed(changes: Int)
  /// All orders of suspension points and executor hops, one after the other, without those that differ only in steps
  /// that are assumed independent: waking up, and nonisolated code up to its next hop or sleep. This assumes that
  /// tasks share state only through actors; `Findings.assumesIsolation` says whether anything was left out for it.
  case exhaustive
}

extension Strategy {
  /// Makes the schedulers of a search; its seeds use them in turn.
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
