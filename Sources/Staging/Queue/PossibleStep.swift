/// A step that could run next, as a list for the user shows it: its first action, its task and its actor.
package struct PossibleStep: Sendable, Hashable {
  /// What the step does first.
  package enum Action: String, Sendable, Hashable {
    /// Ends a sleep, or another wait for an instant. Then its task is ready.
    case wakes
    /// Ends a `Task.yield()`. Then its task is ready.
    case endsYield
    /// Makes a block of a queue ready.
    case becomesReady
    /// Runs code.
    case runs
  }

  /// What runs, and where it continues.
  package let text: StepText
  package let action: Action
  /// The runtime's number of the task; nil if there is none.
  package let task: UInt64?
  /// The type of the actor whose code runs: `MainActor`, `Store`; nil if it runs code of none.
  package let actor: String?

  /// Returns the step as text: `task 3 runs on the main actor: Feed.load() at Feed.swift:14`.
  ///
  /// - Parameter name: what runs, if it has another name than its task.
  /// - Returns: the text.
  package func description(naming name: String? = nil) -> String {
    let place = text.longPlace.map { ": \($0)" } ?? ""
    return "\(name ?? text.subject) \(verb)\(place)"
  }

  private var verb: String {
    switch action {
    case .wakes: "wakes"
    case .endsYield: "ends its yield"
    case .becomesReady: "becomes ready"
    case .runs:
      switch actor {
      case nil: "runs"
      case "MainActor": "runs on the main actor"
      case let actor?: "runs on the actor \(actor)"
      }
    }
  }
}

extension Turn {
  /// Returns a step as far as it is known before it runs. Slow, because it looks up functions and lines.
  package func possibleStep(_ index: Int) -> PossibleStep {
    if let sleeper = sleeper(index) { return possibleStep(index, waking: sleeper) }
    if block(index) == nil, isWaking(index) {
      let task = yieldedTask(index)
      return PossibleStep(
        text: text(numbered: task) ?? text(of: index),
        action: .endsYield,
        task: task,
        actor: nil
      )
    }
    return PossibleStep(
      text: text(of: index),
      action: .runs,
      task: task(index),
      actor: block(index) != nil ? nil : isOnMain(index) ? "MainActor" : actorName(index)
    )
  }

  private func possibleStep(_ index: Int, waking sleeper: Sleeper) -> PossibleStep {
    guard case .scheduled(let scheduled) = sleeper else {
      return PossibleStep(text: text(of: index), action: .wakes, task: task(index), actor: nil)
    }
    if scheduled.queued != nil {
      return PossibleStep(text: text(of: index), action: .becomesReady, task: nil, actor: nil)
    }
    let creator = scheduled.onlyWakes ? scheduled.creator : nil
    return PossibleStep(
      text: text(numbered: creator) ?? text(of: index),
      action: scheduled.onlyWakes ? .wakes : .runs,
      task: creator,
      actor: nil
    )
  }

  private func text(numbered task: UInt64?) -> StepText? {
    task.flatMap(task(numbered:)).map(text(of:))
  }
}
