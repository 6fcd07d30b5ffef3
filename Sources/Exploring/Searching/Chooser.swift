/// Hands out decisions for run after run.
final class Chooser {
  private enum Kind {
    case bySeed(RandomDecisions, PriorityDecisions?)
    case exhaustive(ExhaustiveDecisions)
  }

  private let strategy: Strategy
  private let kind: Kind

  init(_ strategy: Strategy, length: Int) {
    self.strategy = strategy
    switch strategy {
    case .random: kind = .bySeed(RandomDecisions(seed: 0), nil)
    case .priorities(let changes), .mixed(let changes):
      kind = .bySeed(
        RandomDecisions(seed: 0),
        PriorityDecisions(changes: changes, length: length)
      )
    case .exhaustive: kind = .exhaustive(ExhaustiveDecisions())
    }
  }

  /// All schedules from a place on.
  init(from place: TreePlace) {
    strategy = .exhaustive
    kind = .exhaustive(ExhaustiveDecisions(from: place))
  }

  /// How far it has come, where it tries all.
  var place: TreePlace? {
    if case .exhaustive(let decisions) = kind { decisions.place } else { nil }
  }

  /// Has a run done to see what there is, where that matters to what comes.
  func lookAround(_ play: (Decisions) -> Void) {
    guard case .exhaustive(let decisions) = kind, decisions.isAtRoot else { return }
    let search = ActorSearch()
    play(search)
    if search.hasFound { decisions.takeOnlyWakesForMoves() }
  }

  /// The decisions of the next run; nil where there is none.
  func next(seed: UInt64) -> Decisions? {
    switch kind {
    case .bySeed(let random, let priorities):
      guard let priorities, !strategy.isByChance(seed) else {
        _ = random.begin()
        random.restart(seed: seed)
        return random
      }
      _ = priorities.begin()
      priorities.restart(seed: seed)
      return priorities
    case .exhaustive(let decisions):
      return decisions.begin() ? decisions : nil
    }
  }

  var missesOrders: Bool {
    if case .exhaustive(let decisions) = kind { decisions.missesOrders } else { false }
  }

  var leavesValuesOut: Bool {
    if case .exhaustive(let decisions) = kind { decisions.leavesValuesOut } else { false }
  }
}
