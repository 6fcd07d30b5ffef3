public import Staging

/// One run of a scenario that is explored: what code in it may ask, and what it tells.
@MainActor public final class ExploredRun {
  /// The stage that it runs on.
  public let stage: Stage
  private let decisions: Decisions
  var seen: [String] = []
  var failure: RunFailure?

  init(stage: Stage, decisions: Decisions) {
    self.stage = stage
    self.decisions = decisions
  }

  /// Notes something that somebody would see. Runs with the same notes behave the same.
  public func note(_ text: String) { seen.append(text) }

  /// Makes the run a failure where a condition does not hold; the first failure of a run counts.
  public func check(_ condition: Bool, _ rule: String, _ what: @autoclosure () -> String = "") {
    if condition || failure != nil { return }
    let what = what()
    failure = RunFailure(rule: rule, what: what.isEmpty ? rule : what)
  }

  /// One of several values, another in other runs.
  ///
  /// - Precondition: there is one.
  public func choose<Value>(_ values: [Value]) -> Value {
    values[decisions.choose(among: values.count)]
  }
}

extension ExploredRun {
  /// Makes the run a failure by what the scenario has thrown.
  func fail(by error: any Error) {
    if failure != nil { return }
    failure =
      error as? RunFailure ?? RunFailure(rule: "the scenario throws nothing", what: "\(error)")
  }
}
