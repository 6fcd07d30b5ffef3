import Staging

/// The words of a schedule that name tasks, during a run: which step they choose next, and which word does not fit.
///
/// The default schedule takes the first possible step. If a word says that this step waits, the word chooses another step.
/// Other words may replace that step in the same way.
final class TaskWords {
  private let words: [Schedule.Word]
  /// The indices of the words, by the step that waits.
  private var held: [TaskStep: [Int]] = [:]
  private var states: [State]
  /// The tasks by their paths.
  private var numbers: [TaskPath: Int] = [:]
  /// The path of each task or timer, and the number of its steps so far. No path for the code between the steps.
  private var tasks: [(path: TaskPath?, steps: Int)] = [(nil, 0)]
  private var family = TaskFamily()
  private var steps = PossibleSteps<TaskFamily.Member>()
  /// The words that have chosen the next step.
  private var choosers: [Int] = []
  /// The differences of the run from the default schedule, in order.
  private(set) var described: [Schedule.Word] = []
  /// The tasks that words have begun to run since the last call of `takeBeginning`.
  private var beginning: [TaskPath] = []
  /// Whether the last word of the description comes from a choice by number.
  private var describesByNumber = false
  /// The first word that does not fit the run.
  private var misfit: ReplayScheduler.Misfit?

  private enum State: Equatable {
    /// The step that waits has not been next.
    case unmet
    /// The word has chosen steps; it is at this place of the description.
    case met(Int)
    case over
  }

  init(_ words: [Schedule.Word]) {
    self.words = words
    states = words.map { _ in .unmet }
    for (index, word) in words.enumerated() {
      if let step = word.held { held[step, default: []].append(index) }
    }
  }

  /// Returns the next step.
  func choice(_ turn: Turn) -> Int {
    if held.isEmpty { return 0 }
    meet(turn)
    choosers.removeAll(keepingCapacity: true)
    for index in 0..<turn.count {
      if let choice = choice(insteadOf: index, turn.count) { return choice }
    }
    return 0
  }

  /// Returns the step that comes before a step, which may be the step itself; nil if all others come before it.
  ///
  /// - Parameters:
  ///   - index: the index of the step.
  ///   - count: the number of possible steps.
  ///   - chain: the words that have led to the step.
  /// - Returns: the index of the step that comes first.
  private func choice(insteadOf index: Int, _ count: Int, after chain: [Int] = []) -> Int? {
    guard let step = nextStep(of: steps[index].task) else { return index }
    for place in held[step] ?? [] where states[place] != .over {
      switch words[place] {
      case .choice, .value: continue
      case .others:
        choosers.append(place)
        return nil
      case .run(let path, let last, _):
        if let task = numbers[path], last.map({ tasks[task].steps < $0 }) ?? true,
          let other = (0..<count).first(where: { steps[$0].task == task })
        {
          if chain.contains(place) {
            misfit = misfit ?? .cycle(step)
            return index
          }
          choosers.append(place)
          return choice(insteadOf: other, count, after: chain + [place])
        }
        end(place, before: step)
      }
    }
    return index
  }

  /// Ends a word whose task cannot run.
  private func end(_ place: Int, before step: TaskStep) {
    defer { states[place] = .over }
    guard case .run(let task, let last, _) = words[place] else { return }
    let steps = numbers[task].map { tasks[$0].steps } ?? 0
    switch states[place] {
    case .over: return
    case .unmet:
      // The steps may already be in the order of the word.
      if let last, steps >= last { return }
      misfit = misfit ?? .cannotRun(task, before: step)
    case .met(let described):
      guard let last, steps < last else { return }
      misfit = misfit ?? .waits(TaskStep(task, last), before: step, after: steps)
      self.described[described] = .run(task, to: nil, before: step)
    }
  }

  /// Returns the first misfit since the last call; nil if there was none.
  func takeMisfit() -> ReplayScheduler.Misfit? {
    defer { misfit = nil }
    return misfit
  }

  /// The words whose step has not been next, in order.
  var unmet: [Schedule.Word] { words.indices.filter { states[$0] == .unmet }.map { words[$0] } }

  /// Returns why the step of a word has not been next in a run that has ended.
  func reason(forUnmet word: Schedule.Word) -> ReplayScheduler.Misfit? {
    word.held.map { step in
      numbers[step.task].map { .noStep(step, of: tasks[$0].steps) } ?? .noTask(step.task)
    }
  }

  /// Notes that the code between the steps runs, whose tasks no task creates.
  func willRunCaller() { family.willRunCaller() }

  /// Notes a decision between several steps.
  func decided(_ choice: Int, at position: Int, _ turn: Turn, isNamed: Bool) {
    guard choice > 0 else { return }
    guard isNamed else {
      meet(turn)
      describe(choice, at: position)
      describesByNumber = true
      return
    }
    describesByNumber = false
    for place in choosers where states[place] == .unmet {
      states[place] = .met(described.count)
      described.append(words[place])
      if case .run(let task, _, _) = words[place] { beginning.append(task) }
    }
  }

  private func describe(_ choice: Int, at position: Int) {
    guard let held = nextStep(of: steps[0].task), let next = nextStep(of: steps[choice].task),
      held.task != next.task
    else {
      described.append(.choice(decision: position + 1, choice))
      return
    }
    let word = Schedule.Word.run(next.task, to: next.number, before: held)
    if describesByNumber, case .run(next.task, _?, before: held) = described.last {
      described[described.count - 1] = word
    } else {
      described.append(word)
    }
  }

  /// Notes a value that differs from the default schedule.
  func chose(_ word: Schedule.Word) {
    described.append(word)
    describesByNumber = false
  }

  /// Notes the next step.
  func willDo(_ choice: Int, _ turn: Turn) {
    meet(turn)
    let step = steps[choice]
    if !held.isEmpty, let next = nextStep(of: step.task) {
      for place in held[next] ?? [] {
        if states[place] == .unmet, case .others = words[place] {
          misfit = misfit ?? .nothingElse(before: next)
        }
        end(place, before: next)
      }
    }
    tasks[step.task].steps += 1
    family.willDo(step)
    steps.willDo(choice, turn)
  }

  /// Returns the tasks that words have begun to run since the last call.
  func takeBeginning() -> [TaskPath] {
    defer { beginning = [] }
    return beginning
  }

  /// Returns the task of a step if a word names it.
  func namedTask(_ choice: Int, _ turn: Turn) -> TaskPath? {
    meet(turn)
    let path = tasks[steps[choice].task].path
    return words.contains { path != nil && ($0.held?.task == path || $0.task == path) } ? path : nil
  }

  /// Returns the step of a word that has waited and comes now; nil if it is another step.
  func heldStep(_ choice: Int, _ turn: Turn) -> TaskStep? {
    if held.isEmpty { return nil }
    meet(turn)
    return nextStep(of: steps[choice].task).flatMap { held[$0] == nil ? nil : $0 }
  }

  private func nextStep(of task: Int) -> TaskStep? {
    tasks[task].path.map { TaskStep($0, tasks[task].steps + 1) }
  }

  private func meet(_ turn: Turn) {
    steps.meet(turn) { index in
      var member = family.meet(index, turn)
      if member.task == 0 {
        member = TaskFamily.Member(task: family.addTimer(), executor: member.executor)
      }
      if member.task == tasks.count {
        let path = family.path(of: member.task)
        tasks.append((path, 0))
        if let path { numbers[path] = member.task }
      }
      return member
    }
  }
}
