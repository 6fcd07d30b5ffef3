import Script

/// What completion offers for a member.
extension Member {
  var actions: Set<MemberAction> {
    switch sort {
    case .pipe, .publisher, .stream: [.expect, .cancel]
    case .input: [.expect, .set]
    case .marbleDiagram, .journal: []
    case .loadable, .process, .property, .customSource: Set(MemberAction.allCases)
    }
  }

  /// Whether a word that some member takes in such a command can follow for this one.
  func takes(_ next: String, in action: MemberAction) -> Bool {
    switch action {
    case .expect: Self.onlySome.isDisjoint(with: [next]) || ownWords.contains(next)
    case .set: ownWords.union(steps).contains(next)
    case .cancel, .reset, .retry, .inject, .view, .policy: actions.contains(action)
    }
  }

  private static var onlySome: Set<String> {
    Set(StateSpec.loadableWords + StateSpec.processWords + ["cancelled", "attempts"])
  }

  /// The words that its states begin with, and what of it is counted.
  private var ownWords: Set<String> {
    switch sort {
    case .loadable, .customSource: Set(StateSpec.loadableWords + ["attempts"])
    case .process: Set(StateSpec.processWords + ["attempts"])
    case .property: []
    case .input: ["finished", "failed"]
    case .pipe, .publisher, .stream, .journal, .marbleDiagram: ["finished", "failed", "cancelled"]
    }
  }

  /// What can be set beside states.
  private var steps: Set<String> {
    switch sort {
    case .process: ["start", "finish", "fail"]
    case .input: ["value", "finish", "fail"]
    default: ["value"]
    }
  }
}
