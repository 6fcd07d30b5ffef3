import Script

/// The commands on members that not every member takes.
let selectiveVerbs: Set<String> = [
  "expect", "cancel", "reset", "retry", "set", "inject", "view", "policy",
]

/// Commands that say something of a member, as 'expect' does.
private let judgingVerbs: Set<String> = ["always", "never", "eventually"]

/// Which of the `selectiveVerbs` a command is like; nil for none.
func selectiveVerb(_ verb: String) -> String? {
  if judgingVerbs.contains(verb) { return "expect" }
  return selectiveVerbs.contains(verb) ? verb : nil
}

/// What completion offers for a member.
extension Member {
  /// Of the commands that only some members take, all that loads and runs take.
  var verbs: Set<String> {
    switch word {
    case "pipe", "publisher": ["expect", "cancel"]
    case "input": ["expect", "set"]
    case "marble diagram": []
    default: selectiveVerbs
    }
  }

  /// Whether a word that some member takes after a verb can follow for this one.
  func takes(_ next: String, after verb: String) -> Bool {
    switch verb {
    case "expect": Self.onlySome.isDisjoint(with: [next]) || ownWords.contains(next)
    case "set": ownWords.union(steps).contains(next)
    default: verbs.contains(verb)
    }
  }

  private static var onlySome: Set<String> {
    Set(StateSpec.loadableWords + StateSpec.processWords + ["cancelled", "attempts"])
  }

  /// The words that its states begin with, and what of it is counted.
  private var ownWords: Set<String> {
    switch word {
    case "loadable", "custom source": Set(StateSpec.loadableWords + ["attempts"])
    case "process": Set(StateSpec.processWords + ["attempts"])
    case "property": []
    case "input": ["finished", "failed"]
    default: ["finished", "failed", "cancelled"]
    }
  }

  /// What can be set beside states.
  private var steps: Set<String> {
    switch word {
    case "process": ["start", "finish", "fail"]
    case "input": ["value", "finish", "fail"]
    default: ["value"]
    }
  }
}
