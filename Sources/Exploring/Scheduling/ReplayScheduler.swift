import RehearsalBase
package import Staging

/// Replays a schedule, and always chooses the first step after its end.
package class ReplayScheduler: SearchScheduler {
  private let listed: [Int]
  /// The choices of values, by the number of the value.
  private var listedValues: [Int: Int] = [:]
  /// The number of values so far.
  private var valueCount = 0
  /// The number of possible choices at each decision.
  private(set) var counts: [Int] = []
  private var misfit: Misfit?
  /// Counts the steps of the run, if it is not nil.
  var census: StepCensus.Taker?
  /// The words that name tasks; nil if there are none and the run is not described.
  private var tasks: TaskWords?

  /// The steps that words name: the one that waits, and the first of each task that runs before.
  private var namedSteps: [String: NotedStep] = [:]

  /// - Parameters:
  ///   - schedule: the schedule.
  ///   - describes: whether `words` describes the run, which takes some time.
  package init(_ schedule: Schedule, describes: Bool = false) {
    listed = schedule.choices
    var words: [Schedule.Word] = []
    for word in schedule.named {
      if case .value(let value, let choice) = word {
        listedValues[value] = choice
      } else {
        words.append(word)
      }
    }
    if describes || !words.isEmpty { tasks = TaskWords(words) }
    super.init()
  }

  /// The differences of the run from the default schedule, in order; nil if the run is not described.
  var words: [Schedule.Word]? { tasks?.described }

  override func decide(_ turn: Turn) -> Int {
    counts.append(turn.count)
    let position = choices.count
    let listed = position < listed.count ? listed[position] : 0
    guard tasks != nil else { return possible(listed, of: turn.count) }
    let choice = listed > 0 ? possible(listed, of: turn.count) : tasks?.choice(turn) ?? 0
    tasks?.decided(choice, at: position, turn, isNamed: listed == 0)
    if keepsTexts {
      for task in tasks?.takeBeginning() ?? [] { name("\(task)", choice, turn) }
    }
    return choice
  }

  override func decide(among count: Int) -> Int {
    counts.append(count)
    valueCount += 1
    let position = choices.count
    let listed = position < listed.count ? listed[position] : 0
    let named = listed == 0 ? listedValues[valueCount] : nil
    if named == nil, let other = listedValues[valueCount], other != listed {
      misfit = misfit ?? .twice(value: valueCount, decision: position + 1)
    }
    let choice = possible(named ?? listed, of: count, value: named.map { _ in valueCount })
    if choice > 0 { tasks?.chose(.value(valueCount, choice)) }
    return choice
  }

  /// Returns the task of the next step if the schedule names it.
  final func namedTask(_ choice: Int, _ turn: Turn) -> TaskPath? {
    tasks?.namedTask(choice, turn)
  }

  private func name(_ name: String, _ choice: Int, _ turn: Turn) {
    if namedSteps[name] == nil { namedSteps[name] = noted(choice, turn) }
  }

  /// Returns the meanings of the names in a schedule, after a run that keeps texts.
  func names(of schedule: Schedule) -> [StepName] {
    var names: [StepName] = []
    for name in schedule.named.flatMap(\.names) where !names.contains(where: { $0.name == name }) {
      if let step = namedSteps[name] { names.append(StepName(name, text(of: step))) }
    }
    return names
  }

  private func possible(_ choice: Int, of count: Int, value: Int? = nil) -> Int {
    if choice < count { return choice }
    misfit =
      misfit
      ?? value.map { .value($0, choice, of: count) }
      ?? .choice(choice, at: choices.count + 1, of: count)
    return count - 1
  }

  override package var wantsSteps: Bool { super.wantsSteps || census != nil || tasks != nil }

  override package func willDo(_ choice: Int, _ turn: Turn) {
    if keepsTexts, let step = tasks?.heldStep(choice, turn) { name("\(step)", choice, turn) }
    super.willDo(choice, turn)
    census?.willDo(choice, turn)
    tasks?.willDo(choice, turn)
  }

  /// Notes that the code between the steps runs. Tasks that it creates are not named by another task.
  package func willRunCaller() { tasks?.willRunCaller() }

  /// The part of the schedule that has not been followed yet.
  package var rest: Schedule {
    let numbers = listed.enumerated().filter { $0.offset >= choices.count && $0.element > 0 }
      .map { Schedule.Word.choice(decision: $0.offset + 1, $0.element) }
    let values = listedValues.filter { $0.key > valueCount }.sorted { $0.key < $1.key }
      .map { Schedule.Word.value($0.key, $0.value) }
    return Schedule(words: numbers + values + (tasks?.unmet ?? []))
  }

  /// Returns the first misfit since the last call; nil if there was none.
  package func takeMisfit() -> Misfit? {
    defer { misfit = nil }
    let ofTasks = tasks?.takeMisfit()
    return misfit ?? ofTasks
  }

  /// Returns the first misfit of a run that has ended; nil if the run has followed the whole schedule.
  package func takeMisfitOfWholeRun() -> Misfit? {
    if let misfit = takeMisfit() { return misfit }
    if choices.count < listed.count { return .ends(after: choices.count) }
    if let value = listedValues.keys.filter({ $0 > valueCount }).min() {
      return .noValue(value, of: valueCount)
    }
    return tasks.flatMap { tasks in tasks.unmet.first.flatMap(tasks.reason) }
  }

  /// A difference between a schedule and a run that should follow it.
  package enum Misfit: Equatable, Sendable, Codable {
    /// A scheduling point, counted from 1, has only some choices; the last one was taken.
    case choice(Int, at: Int, of: Int)
    /// A value, counted from 1, has only some choices; the last one was taken.
    case value(Int, Int, of: Int)
    /// A value, counted from 1, is chosen by its number and by that of its scheduling point.
    case twice(value: Int, decision: Int)
    /// Jobs wait for each other, and this is one of them.
    case cycle(TaskStep)
    /// The run ends after this number of scheduling points.
    case ends(after: Int)
    /// The run has only some values.
    case noValue(Int, of: Int)
    /// The run has no such task.
    case noTask(TaskPath)
    /// The task has only some jobs.
    case noStep(TaskStep, of: Int)
    /// A task waits or has ended when the job of another task comes next.
    case cannotRun(TaskPath, before: TaskStep)
    /// A task waits or has ended after this number of jobs, before its last job of the schedule.
    case waits(TaskStep, before: TaskStep, after: Int)
    /// No other task can run when a job comes next.
    case nothingElse(before: TaskStep)

    /// The misfit as a clause.
    package var text: String {
      switch self {
      case .choice(_, let decision, let count):
        "scheduling point \(decision) has \(count) choices, 0 to \(count - 1)"
      case .value(let value, _, let count):
        "value \(value) has \(count) choices, 0 to \(count - 1)"
      case .twice(let value, let decision):
        "value \(value) is scheduling point \(decision), and the schedule has different choices for them"
      case .cycle(let step): "\(step) waits for itself, through other entries"
      case .ends(let count): "the run ends after \("scheduling point".counted(count))"
      case .noValue(_, let count): "the run has only \("value".counted(count))"
      case .noTask(let task): "there is no task \(task)"
      case .noStep(let step, let count):
        "task \(step.task) has only \("job".counted(count)), so there is no \(step)"
      case .cannotRun(let task, let step): "task \(task) cannot run before \(step)"
      case .waits(let last, let step, let count):
        "task \(last.task) runs only \("job".counted(count)) before \(step), so there is no \(last)"
      case .nothingElse(let step): "nothing else can run before \(step)"
      }
    }
  }
}

/// What a name in a schedule means in a run.
package struct StepName: Sendable, Hashable, Codable {
  /// `t1@4` for a job, or `t2` for a task.
  package let name: String
  /// The job, or the first job of the task.
  package let step: StepText

  init(_ name: String, _ step: StepText) { (self.name, self.step) = (name, step) }

  /// The meaning as a clause: `t2 is Model.refresh() at Model.swift:14 (task 3)`.
  package var text: String { "\(name) is \(step.longText)" }
}
