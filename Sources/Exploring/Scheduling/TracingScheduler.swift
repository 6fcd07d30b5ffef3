package import Staging

/// Replays a schedule, and keeps each step as text, with the values that it gets and its effects.
package final class TracingScheduler: ReplayScheduler {
  /// A step of the run.
  package struct TracedStep {
    package let instant: StageInstant
    package let text: StepText
  }

  package private(set) var steps: [TracedStep] = []

  /// What runs a step: a column of a table.
  fileprivate enum Actor: Hashable {
    /// The code that performs the run, between the steps.
    case caller
    case task(UInt64)
    /// A step without a task, by its `StepText.runner`.
    case other(String)
  }

  private var rows: [(origin: Origin, time: Duration, text: String)] = []
  /// What the last row is, if it only says that a step runs.
  private var latestStepRow: StepRow?

  private enum StepRow { case task, closure }

  /// The steps that were possible instead of each step, by its number from 1, and the number of those that are not listed.
  private var alternatives: [Int: (listed: [(actor: Actor, step: PossibleStep)], more: Int)] = [:]
  /// Maximum number of listed alternatives of one step, and of steps with listed alternatives.
  private static let (mostAlternatives, mostDecisions) = (20, 500)

  /// A step that has effects, for `noteEffects`.
  package struct Origin {
    /// The number of the step, from 1, or of the step before the caller's code.
    fileprivate let step: Int
    fileprivate let actor: Actor
  }

  /// The step whose effects are noted later than it ran.
  private var earlier: Origin?
  /// What each actor is, without the effects of its steps.
  private var subjects: [Actor: String] = [:]
  /// The members of the session that the steps of each task belong to.
  private var owners: [Actor: Set<String>] = [:]
  /// The names in the schedule of the tasks and timers of each actor.
  private var paths: [Actor: [TaskPath]] = [:]
  /// What the latest step runs.
  private var latest = Actor.caller

  package init(_ schedule: Schedule) {
    super.init(schedule)
    keepsTexts = true
  }

  private var noted: [NotedStep] = []

  /// What each step has done, after the run.
  var texts: [StepText] { noted.map(text) }

  package override func willDo(_ choice: Int, _ turn: Turn) {
    noted.append(noted(choice, turn))
    let path = namedTask(choice, turn)
    super.willDo(choice, turn)
    let step = TracedStep(
      instant: StageInstant(nanoseconds: turn.nanoseconds),
      text: turn.text(of: choice)
    )
    steps.append(step)
    if turn.count > 1 {
      let most = steps.count <= Self.mostDecisions ? Self.mostAlternatives : 0
      let listed = (0..<turn.count).filter { $0 != choice }.prefix(most).map { index in
        let step = turn.possibleStep(index)
        return (actor: actor(of: turn.taskOrCreator(index), step.text), step: step)
      }
      alternatives[steps.count] = (listed, turn.count - 1 - listed.count)
    }
    let task = turn.taskOrCreator(choice)
    latest = actor(of: task, step.text)
    if let path, paths[latest]?.contains(path) != true { paths[latest, default: []].append(path) }
    let isOfTask = turn.task(choice) != nil
    // The timer of a task is in the column of the task.
    if isOfTask || task == nil { subjects[latest] = step.text.subject }
    let text = step.text.place ?? (isOfTask || task == nil ? nil : step.text.subject)
    rows.append((origin, step.instant.elapsed, text ?? "runs"))
    latestStepRow = step.text.place != nil ? nil : isOfTask ? .task : .closure
  }

  private func actor(of task: UInt64?, _ text: StepText) -> Actor {
    task.map(Actor.task) ?? .other(text.runner)
  }

  package override func noteEffect(_ effect: StepEffect) {
    super.noteEffect(effect)
    if isInStep, effect.record != nil, let owner = effect.owner {
      owners[latest, default: []].insert(owner)
    }
    if let row = effect.row { add(row) }
  }

  package override func noteValue(_ value: ChosenValue) {
    super.noteValue(value)
    add("→ \(value.name) is \(value.value)")
  }

  /// Notes a command that is performed between the steps.
  package func begin(_ command: String) { add("> \(command)") }

  private func add(_ text: String) {
    // The effect says that the step runs. A closure may run only to report an earlier step.
    if isInStep, let row = latestStepRow, row == .closure || earlier == nil { rows.removeLast() }
    latestStepRow = nil
    let time = Stage.current?.now.elapsed ?? steps.last?.instant.elapsed ?? .zero
    rows.append((earlier ?? origin, time, text))
  }

  private var origin: Origin { Origin(step: steps.count, actor: isInStep ? latest : .caller) }

  package override var effectOrigin: EffectOrigin {
    var effectOrigin = super.effectOrigin
    effectOrigin.row = origin
    return effectOrigin
  }

  package override func noteEffects(of origin: EffectOrigin, _ body: () -> Void) {
    let outer = earlier
    earlier = origin.row
    super.noteEffects(of: origin, body)
    earlier = outer
  }

  /// A step, or an effect or value of the step before it.
  package typealias TracedEvent = (time: Duration, task: String, text: String)

  /// The steps with their effects and values, in the order of the run. Each task has another name, the same in each run.
  package var events: [TracedEvent] {
    let names = names
    return sortedRows.map { ($0.time, names[$0.origin.actor] ?? "", $0.text) }
  }

  /// The names of the tasks in `events`, each with the name of the task in the schedule: `task 2 (t1)`.
  package var labels: [String: String] {
    let names = names
    return Dictionary(names.map { ($1, label(of: $0, named: $1)) }) { first, _ in first }
  }

  private func label(of actor: Actor, named name: String) -> String {
    ([name] + (paths[actor] ?? []).map { "(\($0))" }).joined(separator: " ")
  }

  private var sortedRows: [(origin: Origin, time: Duration, text: String)] {
    rows.enumerated().sorted {
      ($0.element.origin.step, $0.offset) < ($1.element.origin.step, $1.offset)
    }.map(\.element)
  }

  /// For each of the events, the steps that were possible instead; empty if it does not begin a step with alternatives.
  package var alternativesOfEvents: [[String]] {
    let names = names
    var latest = 0
    return sortedRows.map { row in
      guard row.origin.step > latest, row.origin.actor != .caller else { return [] }
      latest = row.origin.step
      let (listed, more) = alternatives[latest] ?? ([], 0)
      return listed.map { actor, step in
        step.description(naming: names[actor].map { label(of: actor, named: $0) })
      }
        + (more == 0 ? [] : listed.isEmpty ? ["\(more) jobs, not listed"] : ["and \(more) more"])
    }
  }

  /// The names of all actors. Equal names get numbers, in the order in which the tasks were created.
  private var names: [Actor: String] {
    let actors = Set(rows.map(\.origin.actor)).sorted { first, second in
      switch (first, second) {
      case (.task(let first), .task(let second)): first < second
      case (.other(let first), .other(let second)): first < second
      case (.caller, _): second != .caller
      case (.task, .other): true
      case (.task, .caller), (.other, .caller), (.other, .task): false
      }
    }
    var counts: [String: Int] = [:]
    var names: [Actor: String] = [:]
    for actor in actors {
      let name = name(of: actor)
      let number = counts[name, default: 0] + 1
      counts[name] = number
      names[actor] = number == 1 ? name : "\(name) (\(number))"
    }
    return names
  }

  private func name(of actor: Actor) -> String {
    let subject = subjects[actor] ?? (actor == .caller ? "the script" : "a task")
    // A task of a session has no name, but its member has one.
    guard case .task = actor, !subject.hasPrefix("'"), let owners = owners[actor],
      let owner = owners.first, owners.count == 1
    else { return subject }
    return owner
  }
}
