/// Hands out decisions for run after run.
final class Chooser {
  private enum Kind {
    case random(RandomDecisions)
    case priorities(PriorityDecisions)
    case exhaustive(ExhaustiveDecisions)
  }

  private let kind: Kind

  init(_ strategy: Strategy, length: Int) {
    switch strategy {
    case .random: kind = .random(RandomDecisions(seed: 0))
    case .priorities(let changes):
      kind = .priorities(PriorityDecisions(changes: changes, length: length))
    case .exhaustive: kind = .exhaustive(ExhaustiveDecisions())
    }
  }

  /// All schedules from a place on.
  init(from place: TreePlace) { kind = .exhaustive(ExhaustiveDecisions(from: place)) }

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
    case .random(let decisions):
      _ = decisions.begin()
      decisions.restart(seed: seed)
      return decisions
    case .priorities(let decisions):
      _ = decisions.begin()
      decisions.restart(seed: seed)
      return decisions
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
