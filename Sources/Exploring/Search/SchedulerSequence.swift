/// What decides in the runs of a search, one run after the other.
final class SchedulerSequence {
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

  /// All schedules from a cursor on.
  init(from cursor: SearchCursor) {
    strategy = .exhaustive
    kind = .exhaustive(ExhaustiveDecisions(from: cursor))
  }

  /// Where a systematic search stands; nil for other strategies.
  var cursor: SearchCursor? {
    if case .exhaustive(let decisions) = kind { decisions.cursor } else { nil }
  }

  /// Returns what decides in the next run; nil if there is none.
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

  var assumesIsolation: Bool {
    if case .exhaustive(let decisions) = kind { decisions.assumesIsolation } else { false }
  }

  var leavesValuesOut: Bool {
    if case .exhaustive(let decisions) = kind { decisions.leavesValuesOut } else { false }
  }
}
