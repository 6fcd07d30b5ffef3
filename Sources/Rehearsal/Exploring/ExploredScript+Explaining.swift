package import Exploring

/// Explains why a run of a script fails, by other runs; nothing is explained after a crash.
extension ExploredScript {
  /// Returns why a run fails, as far as other runs show it. If a run has crashed its process, nothing is explained, because
  /// runs nearby could crash it again.
  func explanation(_ schedule: Schedule) -> FailureExplanation {
    guard crashes.isEmpty else { return .none }
    return FailureExplanation(of: schedule) {
      let outcome = play($0)
      return outcome.failure != nil || outcome.inconclusive != nil
    }
  }
}

extension ExploredScript.Counterexample {
  /// Why the counterexample fails.
  var explanation: FailureExplanation { script.explanation(schedule) }
}

extension ScriptExploration {
  /// Explains each failure of the whole script, in a worker. Without a worker, the failures stay unexplained.
  package func explain(_ findings: inout Findings) {
    guard !findings.failures.isEmpty else { return }
    let explanations = ExplorationRendering(self).explanations(findings.failures)
    for (place, explanation) in zip(findings.failures.indices, explanations) {
      findings.failures[place].explanation = explanation
    }
  }
}
