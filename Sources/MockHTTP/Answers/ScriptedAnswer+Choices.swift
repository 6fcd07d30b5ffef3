extension ScriptedAnswer {
  /// All that it may be, each on its own: itself first.
  package var choices: [ScriptedAnswer] {
    if alternatives.isEmpty { return [self] }
    var plain = self
    plain.alternatives = []
    return [plain] + alternatives.flatMap(\.choices)
  }

  /// One that may be each of these, the first where nobody decides.
  ///
  /// - Precondition: there is one.
  package init(choices: [ScriptedAnswer]) {
    self = choices[0]
    alternatives = Array(choices.dropFirst())
  }
}
