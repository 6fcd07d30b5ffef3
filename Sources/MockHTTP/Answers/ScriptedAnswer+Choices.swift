/// Lists an answer with its alternatives, for a search that chooses one.
extension ScriptedAnswer {
  /// This answer and its alternatives, as a flat list.
  package var choices: [ScriptedAnswer] {
    if alternatives.isEmpty { return [self] }
    var plain = self
    plain.alternatives = []
    return [plain] + alternatives.flatMap(\.choices)
  }

  /// Creates an answer with alternatives. Without exploration, the first one is given.
  ///
  /// - Precondition: there is at least one.
  package init(choices: [ScriptedAnswer]) {
    self = choices[0]
    alternatives = Array(choices.dropFirst())
  }
}
