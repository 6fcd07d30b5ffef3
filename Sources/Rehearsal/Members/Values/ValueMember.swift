import Loading
import Script

/// A member with a sequence of values, which may end.
@MainActor protocol ValueMember: Member {
  var history: ValueHistory { get }
}

extension ValueMember {
  func satisfies(_ pattern: StatePattern) -> Bool { history.current.satisfies(pattern) }

  func check(_ pattern: Located<StatePattern>) throws(Diagnostic) {
    try checkWordAndType(of: pattern)
  }

  func checkWordAndType(of pattern: Located<StatePattern>) throws(Diagnostic) {
    let words = [StatePattern.valueWord, "finished", "failed", "cancelled"]
    guard words.contains(pattern.value.word) else {
      throw Diagnostic(
        .expected("a value, 'finished' or 'failed'", found: pattern.value.word),
        at: pattern.span
      )
    }
    guard pattern.value.word == StatePattern.valueWord, let source = self as? any ValueSource
    else { return }
    try source.valueType.check(pattern)
  }

  var visitCount: Int { history.count }
  var visitsKnownSince: Duration? { history.knownSince }

  func firstVisit(_ pattern: StatePattern, isSo: Bool, from visit: Int) -> Duration? {
    history.firstVisit(pattern, isSo: isSo, from: visit)
  }
}
