import Script

/// Lists the words that a member accepts in a command, for completion.
extension Member {
  var actions: Set<MemberAction> {
    switch sort {
    case .pipe, .publisher, .stream: [.expect, .cancel]
    case .input: [.expect, .set]
    case .marbleDiagram, .journal: []
    case .loadable, .process, .property, .customSource: Set(MemberAction.allCases)
    }
  }

  /// Whether a word that only some members accept in this command is valid for this one.
  func takes(_ next: String, in action: MemberAction) -> Bool {
    switch action {
    case .expect: Self.onlySome.isDisjoint(with: [next]) || ownWords.contains(next)
    case .set: ownWords.union(steps).contains(next)
    case .cancel, .reset, .retry, .inject, .view, .policy: actions.contains(action)
    }
  }

  private static var onlySome: Set<String> {
    Set(StateSpec.loadableWords + StateSpec.processWords + ["cancelled", "attempts", "map"])
  }

  /// The first words of its states, and of its counts.
  private var ownWords: Set<String> {
    switch sort {
    case .loadable, .customSource: Set(StateSpec.loadableWords + ["attempts", "map"])
    case .process: Set(StateSpec.processWords + ["attempts"])
    case .property: ["map"]
    case .input: ["map", "finished", "failed"]
    case .pipe, .publisher, .stream, .journal, .marbleDiagram:
      ["map", "finished", "failed", "cancelled"]
    }
  }

  /// The words that `set` accepts in addition to states.
  private var steps: Set<String> {
    switch sort {
    case .process: ["start", "finish", "fail"]
    case .input: ["value", "finish", "fail"]
    default: ["value"]
    }
  }
}
